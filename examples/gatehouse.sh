# shellcheck shell=sh
# Gatehouse for any CI that has a POSIX shell and curl. Copy it beside your scripts, and
#
#   . ./gatehouse.sh
#   gatehouse_submit -F test_file=@tests/e2e/test_ppo.py -F record=@record.jsonl \
#     -F test_path=tests/e2e/test_ppo.py -F backend=cuda -F suite=stage-c-8-gpu \
#     -F commit_sha="$(git rev-parse HEAD)" -F github_run_id="$BUILD_NUMBER"
#
# GATEHOUSE_URL               the server, as http://127.0.0.1:8080
# GATEHOUSE_TOKEN             sent as a bearer token where it is not empty
# GATEHOUSE_ALLOW_UNJUDGED=1  a run that could not be judged does not fail the job
# GITHUB_STEP_SUMMARY         where it is set, the verdict is added to the job summary

# Submits one run and prints what came of it. All arguments go to curl. Returns 0 where the run passed, 1 where a gate
# failed, 2 where nothing was judged: a gate that is silently off is worse than none.
gatehouse_submit() (
  folder=$(mktemp -d) || return 2
  trap 'rm -rf "$folder"' EXIT
  [ -n "${GATEHOUSE_URL:-}" ] || { _gatehouse_not_judged 'GATEHOUSE_URL is not set'; return; }
  GATEHOUSE_URL=${GATEHOUSE_URL%/}
  # What is sent carries a key, so that a repetition after a lost answer weighs no run twice.
  status=$(_gatehouse_curl --retry 3 --retry-connrefused --max-time 300 -w '%{http_code}' \
    -D "$folder/headers" -o "$folder/body" "$GATEHOUSE_URL/v1/runs" "$@" 2>"$folder/errors") || status="${status:-000}, curl failed"
  outcome=$(_gatehouse_header gatehouse-outcome "$folder/headers")
  case "$status $outcome" in
    '200 pass' | '201 pass' | '200 fail' | '201 fail') ;;
    *)
      cat "$folder/errors" >&2
      [ ! -s "$folder/body" ] || { cat "$folder/body" && echo; } >&2
      _gatehouse_not_judged "HTTP $status"
      return
      ;;
  esac
  trust=untrusted
  [ "$(_gatehouse_header gatehouse-trusted "$folder/headers")" = false ] || trust=trusted
  verdict=$(_gatehouse_header location "$folder/headers")
  # A dry run has no verdict to look up; and a summary that does not come changes no outcome.
  [ -n "$verdict" ] && gatehouse_get "$verdict" -H 'Accept: text/markdown' >"$folder/summary" || cp "$folder/body" "$folder/summary"
  [ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$folder/summary" >>"$GITHUB_STEP_SUMMARY"
  # A run that passed without trust, or with warnings (nothing was compared, say), is worth a look too.
  if [ "$outcome $trust" != 'pass trusted' ] || grep -q '^### Warnings' "$folder/summary"; then cat "$folder/summary"; fi
  if [ "$outcome" = fail ]; then
    echo "gatehouse: FAIL ($trust) $GATEHOUSE_URL$verdict"
    return 1
  fi
  echo "gatehouse: PASS ($trust) $GATEHOUSE_URL$verdict"
)

# Asks whether any gate of a workflow run failed, for one final job: gatehouse_overall RUN_ID EXPECTED, where EXPECTED
# is how many series must have been judged. Of a series that ran again only its last attempt counts.
gatehouse_overall() (
  case "${2:-}" in
    '' | *[!0-9]*) _gatehouse_not_judged 'gatehouse_overall is to be told how many series must have been judged'; return ;;
  esac
  answer=$(gatehouse_get "/v1/verdicts?github_run_id=$1&limit=1") || { [ -z "$answer" ] || printf '%s\n' "$answer" >&2; answer=; }
  overall=$(printf '%s' "$answer" | sed -n 's/.*"overall":{"outcome":"\([a-z]*\)","verdicts":\([0-9]*\).*/\1 \2/p')
  if [ -z "$overall" ]; then _gatehouse_not_judged "no good answer from ${GATEHOUSE_URL:-an unset GATEHOUSE_URL}"; return; fi
  outcome=${overall% *} verdicts=${overall#* }
  echo "gatehouse: workflow run $1: $outcome, $verdicts of $2 judged"
  if [ "$outcome" = fail ]; then return 1; fi
  if [ "$outcome" = none ] || [ "$verdicts" -lt "$2" ]; then _gatehouse_not_judged "$verdicts of $2 gates answered"; return; fi
)

# Sets GATEHOUSE_TOKEN to the identity of this GitHub Actions job: gatehouse_github_identity [AUDIENCE]. The job needs
# `permissions: id-token: write`. The token lives for minutes: fetch it right before it is used.
gatehouse_github_identity() {
  if [ -z "${ACTIONS_ID_TOKEN_REQUEST_URL:-}" ]; then
    _gatehouse_not_judged 'the job has no identity; it needs permissions: id-token: write'
    return
  fi
  GATEHOUSE_TOKEN=$(printf 'header = "Authorization: Bearer %s"\n' "${ACTIONS_ID_TOKEN_REQUEST_TOKEN:-}" |
    curl -sS --fail --retry 3 --max-time 60 --config - "$ACTIONS_ID_TOKEN_REQUEST_URL&audience=${1:-gatehouse}" |
    sed -n 's/.*"value": *"\([^"]*\)".*/\1/p') || GATEHOUSE_TOKEN=
  if [ -z "$GATEHOUSE_TOKEN" ]; then _gatehouse_not_judged 'GitHub gave the job no identity token'; return; fi
  echo "::add-mask::$GATEHOUSE_TOKEN"
}

# gatehouse_get PATH [options of curl]
gatehouse_get() {
  _gatehouse_url=${GATEHOUSE_URL:-}
  _gatehouse_url=${_gatehouse_url%/}$1
  shift
  _gatehouse_curl --fail-with-body --retry 3 --retry-connrefused --max-time 60 "$@" "$_gatehouse_url"
}

# The token comes through a pipe: on a command line every user of the machine could read it.
_gatehouse_curl() {
  if [ -n "${GATEHOUSE_TOKEN:-}" ]; then printf 'header = "Authorization: Bearer %s"\n' "$GATEHOUSE_TOKEN"; fi |
    curl -sS --config - "$@"
}

_gatehouse_header() {
  [ ! -f "$2" ] || tr -d '\r' <"$2" | tr '[:upper:]' '[:lower:]' | sed -n "s/^$1: *//p" | tail -n 1
}

_gatehouse_not_judged() {
  echo "gatehouse: NOT JUDGED ($1)" >&2
  if [ "${GATEHOUSE_ALLOW_UNJUDGED:-}" != 1 ]; then return 2; fi
  echo 'gatehouse: GATEHOUSE_ALLOW_UNJUDGED=1 lets the job go on without a judgement' >&2
}
