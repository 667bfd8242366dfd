# Sourced by a service's launcher, which has set `home`, `service`, `own_node` and `node_variable`: finds a Node.js that is new
# enough, and becomes it. The process id stays the same, so signals arrive.

# asked for its version and not for a script: that is done before V8 is up, in 5 ms instead of 35
fit() {
  version=$("$1" -v 2>/dev/null) || return 1
  version=${version#v}
  major=${version%%.*}
  minor=${version#*.}
  minor=${minor%%.*}
  [ "$major" -gt 24 ] 2>/dev/null || { [ "$major" -eq 24 ] && [ "$minor" -ge 15 ]; } 2>/dev/null
}

node=
if [ -n "$own_node" ]; then
  node=$own_node
  fit "$node" || { echo "$service: $node_variable is not a Node.js of version 24.15 or newer" >&2; exit 1; }
else
  # a checkout has its own Node.js, whose version the lock file fixes
  for pinned in "$home"/../node_modules/node-*/bin/node; do
    # it is built for glibc, and may not run on a system with another C library
    [ -x "$pinned" ] && "$pinned" -v >/dev/null 2>&1 && node=$pinned && break
  done
fi
if [ -z "$node" ]; then
  node=node
  fit "$node" || { echo "$service: Node.js 24.15 or newer is needed; set $node_variable to one, or install it" >&2; exit 1; }
fi

# about 30 MB are live; without these bounds the heap grows with the machine's memory. NODE_OPTIONS can override them
NODE_OPTIONS="--max-semi-space-size=16 --max-old-space-size=384${NODE_OPTIONS:+ $NODE_OPTIONS}"
export NODE_OPTIONS
# one malloc arena: those of helper threads never shrink, which costs 12 MB under load
MALLOC_ARENA_MAX=${MALLOC_ARENA_MAX:-1}
export MALLOC_ARENA_MAX
# no signal opens the inspector, which could read keys from memory; no document reaches a prototype
exec "$node" --disable-sigusr1 --disable-proto=delete "$home/bin/start.mjs" "$@"
