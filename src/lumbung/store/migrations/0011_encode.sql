-- Blocks of the feature index, Eq. (14): exact search in small ones, an HNSW graph of its own in each large one. Owned by encode.

create table index_block (
    version integer not null,
    category text not null,
    province text not null,
    nodes bigint not null default 0,
    indexed boolean not null default false,
    primary key (version, category, province)
);
comment on table index_block is 'How many nodes each block holds: the measured size that decides how it is searched.';

insert into index_block (version, category, province, nodes)
select version, category, province, count(*) from feature group by version, category, province;

-- The machine's login owns nothing, so the graph is built by this function of the owner's; it does only this.
create function build_block_graph(block_version integer, block_category text, block_province text) returns void
language plpgsql security definer set search_path = public as $$
begin
    execute format(
        'create index if not exists %I on feature using hnsw (content halfvec_cosine_ops) where version = %s and category = %L and province = %L',
        'feature_graph_' || md5(block_version || '/' || block_category || '/' || block_province), block_version, block_category, block_province);
    update index_block set indexed = true where version = block_version and category = block_category and province = block_province;
end
$$;

do $$
begin
    execute format('grant select, insert, update, delete on index_block to %I', current_setting('lumbung.machine_role'));
    execute format('grant select on index_block to %I', current_setting('lumbung.people_role'));
    execute format('grant execute on function build_block_graph(integer, text, text) to %I', current_setting('lumbung.machine_role'));
end
$$;
