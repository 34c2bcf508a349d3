"""Profiles: what one initiative harvests, as a folder of data. `loader.load_profile` reads and checks one."""
