// Counts, for all replicas, how many calls of a platform key each facade key made in the last hour: replicas add what they
// counted, and get the sums.
import { script } from '../../../base/redis/script.ts'

/** One value: calls per minute below the hash of each facade key. `idleMs`: time since a replica last reported the key. */
export const keyUsageScript = script(`
local name, hourMs, mostKeys = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local minute = math.floor(now / (hourMs / 60))
local raw = redis.call('GET', name)
local uses = raw and cmsgpack.unpack(raw) or {}

for i = 3, #ARGV, 2 do
  local use = uses[ARGV[i]] or { at = now, minutes = {} }
  local key = tostring(minute)
  use.at, use.minutes[key] = now, (use.minutes[key] or 0) + tonumber(ARGV[i + 1])
  uses[ARGV[i]] = use
end

local told, kept = {}, {}
for who, use in pairs(uses) do
  local calls = 0
  for at, count in pairs(use.minutes) do
    if tonumber(at) <= minute - 60 then use.minutes[at] = nil else calls = calls + count end
  end
  if calls == 0 and now - use.at > hourMs / 6 then uses[who] = nil else table.insert(kept, who) end
end
if #kept > mostKeys then
  table.sort(kept, function(a, b) return uses[a].at > uses[b].at end)
  for i = #kept, mostKeys + 1, -1 do uses[table.remove(kept, i)] = nil end
end
for _, who in ipairs(kept) do
  local calls = 0
  for _, count in pairs(uses[who].minutes) do calls = calls + count end
  table.insert(told, who)
  table.insert(told, calls)
  table.insert(told, math.max(0, now - uses[who].at))
end
redis.call('SET', name, cmsgpack.pack(uses), 'PX', hourMs)
return told
`)
