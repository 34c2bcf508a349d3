-- Candidates, their claims and the index of features. Owned by extract and encode.

create table candidate (
    digest text primary key,
    document bigint not null references document (id),
    cleaner text not null,
    segment integer not null,
    extractor text not null,
    name text not null check (length(name) between 1 and 300),
    name_key text not null,
    aliases text[] not null default '{}',
    alias_keys text[] not null default '{}',
    category text,
    regions text[] not null default '{}',
    media jsonb not null default '[]',
    state text not null default 'live' check (state in ('live', 'parked', 'superseded', 'retracted', 'refused')),
    state_reason text,
    scope text check (scope in ('in', 'out', 'unsure')),
    scope_evidence jsonb,
    sensitive text[] not null default '{}',
    batch bigint,
    created_at timestamptz not null default clock_timestamp(),
    foreign key (document, cleaner) references page_text (document, cleaner),
    constraint a_candidate_that_ended_says_why check (state = 'live' or state_reason is not null)
);
create index candidate_document on candidate (document);
create index candidate_parked on candidate (state_reason) where state = 'parked';

create table claim (
    id bigint generated always as identity primary key,
    candidate text not null references candidate (digest),
    document bigint not null,
    cleaner text not null,
    attribute text not null,
    value text not null check (length(value) between 1 and 5000),
    value_key text not null,
    quote text not null check (length(quote) between 1 and 5000),
    span int4range not null check (not isempty(span) and lower(span) >= 0),
    language text not null,
    confidence double precision not null check (confidence between 0 and 1),
    polarity smallint not null default 1 check (polarity in (-1, 1)),
    retracted text,
    foreign key (document, cleaner) references page_text (document, cleaner),
    constraint a_claim_is_made_once unique (candidate, attribute, value_key, span)
);

create function quote_stands_in_its_page() returns trigger language plpgsql as $$
declare
    page text;
    home record;
begin
    select c.document, c.cleaner into home from candidate c where c.digest = new.candidate;
    if home.document is distinct from new.document or home.cleaner is distinct from new.cleaner then
        raise exception 'a claim points into the page of its candidate' using errcode = 'check_violation';
    end if;
    select text into page from page_text where document = new.document and cleaner = new.cleaner;
    if substr(page, lower(new.span) + 1, upper(new.span) - lower(new.span)) is distinct from new.quote then
        raise exception 'the quote is not in the page at its offsets' using errcode = 'check_violation';
    end if;
    return new;
end
$$;
create trigger claim_is_grounded before insert or update of quote, span, document, cleaner, candidate on claim
    for each row execute function quote_stands_in_its_page();

create table reading (
    document bigint not null references document (id),
    extractor text not null,
    cleaner text not null,
    at timestamptz not null default clock_timestamp(),
    primary key (document, extractor, cleaner)
);

create table feature (
    node text not null,
    human boolean not null,
    version integer not null,
    category text not null,
    province text not null,
    content halfvec(512) not null,
    primary key (node, version, category, province)
);
create index feature_block on feature (version, category, province);

create table refusal (
    id bigint generated always as identity primary key,
    stage text not null,
    subject text not null,
    reason text not null,
    detail jsonb not null default '{}',
    inclusion double precision,
    at timestamptz not null default clock_timestamp()
);
create index refusal_by_reason on refusal (stage, reason);
