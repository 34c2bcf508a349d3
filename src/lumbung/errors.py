"""The error tree. Four families, because the method names four reactions.

LumbungError
├── ContractError            a bug or bad data: dead letter at once
│   ├── UsageError           a person asked for something that cannot be: exit code 2
│   ├── ProfileError         the profile's files do not fit together
│   └── SettingsError        a setting is unknown, of the wrong type or missing
├── TransientError           may pass by itself: backoff Eq. (21), then dead letter
│   ├── RateLimited          the other side named a time to wait
│   ├── EngineUnavailable    PostgreSQL or NATS does not answer
│   └── StaleRead            what was decided about has changed: prepare again
├── CapabilityError          pause or park, never discard
│   ├── BudgetExhausted      the stage pauses until the window has room
│   ├── CapabilityMissing    the job is parked until the capability is there
│   └── ProviderDown         the breaker is open: work is buffered
└── RefusedError             this request only, and for good
    ├── PolicyRefused        robots, opt-out, address guard, licence, moderation
    ├── InputRefused         these bytes cannot be read; the reason is from a closed list
    └── PermissionRefused    this person may not do this
"""

from __future__ import annotations


class LumbungError(Exception):
    """Every error of ours; its message is one sentence that says what to do."""


class ContractError(LumbungError):
    pass


class UsageError(ContractError):
    pass


class ProfileError(ContractError):
    pass


class SettingsError(ContractError):
    pass


class TransientError(LumbungError):
    pass


class RateLimited(TransientError):
    def __init__(self, message: str, retry_after_seconds: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class EngineUnavailable(TransientError):
    pass


class StaleRead(TransientError):
    pass


class CapabilityError(LumbungError):
    def __init__(self, message: str, capability: str = "") -> None:
        super().__init__(message)
        self.capability = capability


class BudgetExhausted(CapabilityError):
    def __init__(self, message: str, capability: str = "", retry_after_seconds: float | None = None) -> None:
        super().__init__(message, capability)
        self.retry_after_seconds = retry_after_seconds


class CapabilityMissing(CapabilityError):
    pass


class ProviderDown(CapabilityError):
    pass


class RefusedError(LumbungError):
    def __init__(self, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.reason = reason or message


class PolicyRefused(RefusedError):
    pass


class InputRefused(RefusedError):
    pass


class PermissionRefused(RefusedError):
    pass
