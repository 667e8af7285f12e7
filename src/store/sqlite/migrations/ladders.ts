/**
 * Promotion ladders. Rows are inserted and never changed: a variant's state is its newest row, the live version the row
 * of the highest generation, a late cap a row beside the episode.
 */
export const LADDERS = `
create table ladders (
  ladder text primary key not null,
  config text not null,
  created_at text not null,
  created_by text not null
);
-- Its key is what makes a swap a compare-and-swap: of two that follow one generation, one finds its row taken.
create table ladder_generations (
  ladder text not null references ladders (ladder),
  generation integer not null,
  version text not null,
  since text not null,
  primary key (ladder, generation)
) without rowid;
create table ladder_drift_series (
  test_path text not null,
  backend text not null,
  suite text not null,
  ladder text not null references ladders (ladder),
  primary key (test_path, backend, suite, ladder)
) without rowid;

create table ladder_variants (
  ladder text not null references ladders (ladder),
  version text not null,
  position integer not null,
  parents text not null,
  commit_sha text,
  created_at text not null,
  created_by text not null,
  primary key (ladder, version),
  unique (ladder, position)
);
create table ladder_variant_states (
  ladder text not null,
  version text not null,
  revision integer not null,
  state text not null,
  primary key (ladder, version, revision),
  foreign key (ladder, version) references ladder_variants (ladder, version)
);

create table ladder_episodes (
  ladder text not null references ladders (ladder),
  episode_id text not null,
  variant text not null,
  group_id text not null,
  split text not null check (split in ('selection', 'held_out')),
  rung text not null,
  score real,
  violations text,
  verifier_passed integer check (verifier_passed in (0, 1)),
  cost real,
  created_at text not null,
  created_by text not null,
  primary key (ladder, episode_id),
  -- Either a number or what was violated, never both.
  check ((score is null) <> (violations is null))
);
create index ladder_episodes_group on ladder_episodes (ladder, group_id);
create index ladder_episodes_newest on ladder_episodes (ladder, created_at desc, episode_id desc);
-- What evaluations add up is read from the index alone.
create index ladder_episodes_evidence on ladder_episodes (ladder, split, variant, rung, verifier_passed);
create index ladder_episodes_capped on ladder_episodes (ladder, variant) where violations is not null;
create table ladder_episode_caps (
  ladder text not null,
  episode_id text not null,
  violations text not null,
  created_at text not null,
  created_by text not null,
  primary key (ladder, episode_id),
  foreign key (ladder, episode_id) references ladder_episodes (ladder, episode_id)
);

create table ladder_comparisons (
  comparison_id text primary key not null,
  ladder text not null references ladders (ladder),
  group_id text not null,
  generation integer not null,
  a_variant text not null,
  a_episode_id text not null,
  b_variant text not null,
  b_episode_id text not null,
  created_at text not null,
  created_by text not null
);
create index ladder_comparisons_group on ladder_comparisons (ladder, group_id, comparison_id);
create index ladder_comparisons_generation on ladder_comparisons (ladder, generation);
create table ladder_results (
  comparison_id text primary key not null references ladder_comparisons (comparison_id),
  ladder text not null,
  sequence integer not null,
  winner text not null check (winner in ('a', 'b', 'tie', 'error')),
  judge text,
  created_at text not null,
  created_by text not null,
  unique (ladder, sequence)
);

create table ladder_transitions (
  ladder text not null references ladders (ladder),
  sequence integer not null,
  variant text not null,
  document text not null,
  primary key (ladder, sequence)
);
create index ladder_transitions_variant on ladder_transitions (ladder, variant, sequence);
create table ladder_checks (
  ladder text not null references ladders (ladder),
  sequence integer not null,
  variant text not null,
  created_at text not null,
  document text not null,
  primary key (ladder, sequence)
);
create index ladder_checks_variant on ladder_checks (ladder, variant, sequence);
`
