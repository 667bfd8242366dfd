#!/bin/sh
# Prints every app of a connection, one per line: id, name and bundle identifier, separated by tabs. If a page fails, it
# prints only the error and exits with 1, so that an incomplete list is never taken for the whole. Needs curl and jq.
#
#   export VITRINE_KEY=vtr_…  VITRINE_CONNECTION=studio
#   examples/curl/apps.sh > apps.tsv
set -eu
: "${VITRINE_KEY:?is the facade key}" "${VITRINE_CONNECTION:?is the connection to read}"
service=${VITRINE_URL:-http://127.0.0.1:8080}
apps=${service%/}/v1/connections/$VITRINE_CONNECTION/apps
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# curl retries temporary errors and waits as Retry-After says. The key comes over standard input, because every user of a
# machine can read the arguments of a process.
ask() {
  printf 'header = "Authorization: Bearer %s"\n' "$VITRINE_KEY" |
    curl --config - --silent --show-error --get --retry 4 --retry-max-time 120 --max-time 60 \
      --output "$scratch/page.json" --write-out '%{http_code}' "$@" "$apps"
}

set -- --data limit=200 --data fields=name,bundleId
while :; do
  status=$(ask "$@") || exit 1
  if [ "$status" != 200 ]; then
    jq -r '"\(.error.message) (\(.error.requestId))"' "$scratch/page.json" >&2 || echo "status $status, not from Vitrine" >&2
    exit 1
  fi
  jq -r '.items[] | [.id, .name, .bundleId] | @tsv' "$scratch/page.json" >> "$scratch/apps.tsv"
  cursor=$(jq -r '.nextCursor // empty' "$scratch/page.json")
  [ -n "$cursor" ] || break
  set -- --data limit=200 --data fields=name,bundleId --data-urlencode "cursor=$cursor"
done
cat "$scratch/apps.tsv"
