"""A fine-tuning test as CI runs it. Gatehouse reads the gate calls out of this file; it never executes it."""


def register_ci_gate(**_):
    """Does nothing when the test runs: the call is there to be read."""


# Steps and band come from the server's defaults table.
register_ci_gate(metric_key="train/grad_norm")

# The mean over the run may rise by 5 % of its own trusted history; a fall of 10 % is suspicious too.
register_ci_gate(
    metric_key="train/loss",
    steps="mean",
    constraint={"rel_up": 0.05, "rel_down": 0.1},
)

# The schedule is deterministic: any difference is a change of the recipe.
register_ci_gate(
    metric_key="train/learning_rate",
    steps=[100, 200],
    constraint={"rel_up": 0, "rel_down": 0},
)


def test_finetune(run_training):
    assert run_training(steps=200).exit_code == 0
