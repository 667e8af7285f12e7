-- Promotion ladders. Run by the owner of the database, after 003. Idempotent.
--
-- Rows are inserted and never changed: a variant's state is its newest row, the live version the row of the highest
-- generation, a late cap a row beside the episode. So the server's role needs neither UPDATE nor DELETE here, and
-- nothing that was decided, nor what decided it, can be wiped out with its login.

begin;

create table if not exists ladders (
  ladder text primary key,
  config text not null,
  created_at timestamptz not null,
  created_by text not null
);
create unique index if not exists ladders_by_code_point on ladders (ladder collate "C");

-- Its key is what makes a swap a compare-and-swap: of two that follow one generation, one finds its row taken.
create table if not exists ladder_generations (
  ladder text not null references ladders (ladder),
  generation bigint not null,
  version text not null,
  since timestamptz not null,
  primary key (ladder, generation)
);

create table if not exists ladder_drift_series (
  test_path text not null,
  backend text not null,
  suite text not null,
  ladder text not null references ladders (ladder),
  primary key (test_path, backend, suite, ladder)
);

create table if not exists ladder_variants (
  ladder text not null references ladders (ladder),
  version text not null,
  position integer not null,
  parents text not null,
  commit_sha text,
  created_at timestamptz not null,
  created_by text not null,
  primary key (ladder, version),
  unique (ladder, position)
);

create table if not exists ladder_variant_states (
  ladder text not null,
  version text not null,
  revision integer not null,
  state text not null,
  primary key (ladder, version, revision),
  foreign key (ladder, version) references ladder_variants (ladder, version)
);

create table if not exists ladder_episodes (
  ladder text not null references ladders (ladder),
  episode_id text not null,
  variant text not null,
  group_id text not null,
  split text not null check (split in ('selection', 'held_out')),
  rung text not null,
  score double precision,
  violations text,
  verifier_passed boolean,
  cost double precision,
  created_at timestamptz not null,
  created_by text not null,
  primary key (ladder, episode_id),
  -- Either a number or what was violated, never both.
  check ((score is null) <> (violations is null))
);
create index if not exists ladder_episodes_group on ladder_episodes (ladder, group_id);
create index if not exists ladder_episodes_newest
  on ladder_episodes (ladder, created_at desc, episode_id collate "C" desc);
-- What evaluations add up is read from the index alone.
create index if not exists ladder_episodes_evidence
  on ladder_episodes (ladder, split, variant) include (rung, verifier_passed);
create index if not exists ladder_episodes_capped on ladder_episodes (ladder, variant) where violations is not null;

create table if not exists ladder_episode_caps (
  ladder text not null,
  episode_id text not null,
  violations text not null,
  created_at timestamptz not null,
  created_by text not null,
  primary key (ladder, episode_id),
  foreign key (ladder, episode_id) references ladder_episodes (ladder, episode_id)
);

create table if not exists ladder_comparisons (
  comparison_id text primary key,
  ladder text not null references ladders (ladder),
  group_id text not null,
  generation bigint not null,
  a_variant text not null,
  a_episode_id text not null,
  b_variant text not null,
  b_episode_id text not null,
  created_at timestamptz not null,
  created_by text not null
);
create index if not exists ladder_comparisons_group on ladder_comparisons (ladder, group_id, comparison_id);
create index if not exists ladder_comparisons_generation on ladder_comparisons (ladder, generation);

create table if not exists ladder_results (
  comparison_id text primary key references ladder_comparisons (comparison_id),
  ladder text not null,
  sequence bigint not null,
  winner text not null check (winner in ('a', 'b', 'tie', 'error')),
  judge text,
  created_at timestamptz not null,
  created_by text not null,
  unique (ladder, sequence)
);

create table if not exists ladder_transitions (
  ladder text not null references ladders (ladder),
  sequence bigint not null,
  variant text not null,
  document text not null,
  primary key (ladder, sequence)
);
create index if not exists ladder_transitions_variant on ladder_transitions (ladder, variant, sequence);

create table if not exists ladder_checks (
  ladder text not null references ladders (ladder),
  sequence bigint not null,
  variant text not null,
  created_at timestamptz not null,
  document text not null,
  primary key (ladder, sequence)
);
create index if not exists ladder_checks_variant on ladder_checks (ladder, variant, sequence);

revoke all on
  ladders, ladder_generations, ladder_drift_series, ladder_variants, ladder_variant_states, ladder_episodes,
  ladder_episode_caps, ladder_comparisons, ladder_results, ladder_transitions, ladder_checks
from gatehouse_app;
grant select, insert on
  ladders, ladder_generations, ladder_drift_series, ladder_variants, ladder_variant_states, ladder_episodes,
  ladder_episode_caps, ladder_comparisons, ladder_results, ladder_transitions, ladder_checks
to gatehouse_app;

insert into gatehouse_migrations (version, file) values (7, '007_promotion.sql') on conflict do nothing;

commit;
