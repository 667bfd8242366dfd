// The shared quota of one platform key as one script of Redis, which runs as one step by its clock. All it knows is one value,
// which expires once everything in it is older than the hour.
import { script } from '../../../base/redis/script.ts'

export const sharedQuotaScript = script(`
local name, act, id = KEYS[1], ARGV[1], ARGV[2]
local inDoubt, ghosts, holdMs = ARGV[3] == '1', tonumber(ARGV[4]), tonumber(ARGV[5])
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local lengths = { hour = tonumber(ARGV[6]), minute = tonumber(ARGV[6]) / 60 }
local pollMs, goneMs, hangMs = 50, 2000, 2000

local function fresh()
  return { newest = 0, toldAt = 0, spentAt = 0, freed = 0, wordless = 0, words = {}, slots = {} }
end
local raw = redis.call('GET', name)
local s = raw and cmsgpack.unpack(raw)
if not s then
  s = { seq = 0, calls = {}, hour = fresh(), minute = fresh() }
  s.rest = { till = 0, strikes = 0, seq = 0, careful = false }
  inDoubt = true
end
s.seq = s.seq + 1
-- ghosts: calls that may be in flight without a reservation, since the value was lost or a replica could not reach Redis.
-- Until a call reserved after that is answered (sure), calls go one at a time; a hung one delays the next only briefly.
if inDoubt then
  if s.sure ~= false then s.doubtedAt = s.seq end
  s.sure, s.mark, s.ghosts, s.ghostsTill = false, s.seq, ghosts, now + holdMs
  s.seq = s.seq + 1
end

local function each(act)
  act(s.hour, 'hour')
  act(s.minute, 'minute')
end

local function count(w, length, from, till, isCounted)
  local last = w.slots[#w.slots]
  if not last or till - last.begun >= length / 60 then
    last = { begun = till, from = from, till = till, all = 0, sure = 0 }
    table.insert(w.slots, last)
  end
  last.from, last.till, last.all = math.min(last.from, from), math.max(last.till, till), last.all + 1
  if isCounted then last.sure = last.sure + 1 end
end

-- a call without an answer lowers every report that may not have counted it
local function goWithoutWord(w)
  w.wordless = w.wordless + 1
  for _, word in ipairs(w.words) do word.left = word.left - 1 end
end

local function agesAt(slot, length)
  return slot.till + length + length / 1000
end

-- before slots age: the script may not have run since these calls ended
for key, call in pairs(s.calls) do
  if call.till <= now then
    s.calls[key] = nil
    each(function(w, kind)
      count(w, lengths[kind], call.at, call.till, false)
      goWithoutWord(w)
    end)
  end
end
each(function(w, kind)
  local length = lengths[kind]
  while w.slots[1] and agesAt(w.slots[1], length) <= now do
    local slot = table.remove(w.slots, 1)
    -- given back from when the answer came, and only where no report can know of it
    if slot.from + length > w.toldAt then w.freed = w.freed + slot.sure end
  end
end)

local function flying(since)
  local all, live = 0, 0
  for _, call in pairs(s.calls) do
    all = all + 1
    if call.seq > since and not call.gone and call.at + hangMs > now then live = live + 1 end
  end
  return all, live
end

local function leftIn(w, kind)
  local own, least = 0, nil
  for _, slot in ipairs(w.slots) do own = own + slot.all end
  -- the least of the reports that may be the platform's latest holds: those since the last known reservation (newest)
  for _, word in ipairs(w.words) do least = math.min(least or word.left, word.left) end
  local left = w.limit - own
  if least and w.toldAt + lengths[kind] > now then left = math.min(w.limit, least + w.freed) end
  -- calls in flight count: a report may have left out each that was in flight with its own
  return left - flying(0), w.limit - math.max(0, left) > own
end

local function waitIn(w, kind)
  if not w.limit then return 0 end
  local length = lengths[kind]
  local inFlight, live = flying(0)
  local left, hasOthers = leftIn(w, kind)
  local ghostly = s.ghostsTill > now and s.ghosts or 0
  if left - ghostly >= 1 then return 0 end
  -- a report that is older than the window ends no wait
  local isTold = w.toldAt + length > now
  local soonest = isTold and w.toldAt + length - now or length
  if left >= 1 then soonest = isTold and math.min(soonest, s.ghostsTill - now) or s.ghostsTill - now end
  if inFlight > 0 and left + inFlight >= 1 then soonest = math.min(soonest, 2 * pollMs) end
  if hasOthers then
    local probe = math.max(w.toldAt, w.spentAt) + lengths.minute - now
    if probe <= 0 and inFlight == 0 then return 0 end
    -- a test is under way: its answer may show that more is left
    if live > 0 and w.toldAt + lengths.minute <= now then probe = 0 end
    soonest = math.min(soonest, math.max(probe, 2 * pollMs))
  end
  for _, slot in ipairs(w.slots) do
    if not isTold or slot.sure > 0 and slot.from + length > w.toldAt then
      soonest = math.min(soonest, agesAt(slot, length) - now)
      break
    end
  end
  return math.max(1, math.ceil(soonest))
end

local function isCareful()
  return not s.sure or s.rest.careful
end

local function waitMs()
  local wait = math.max(0, s.rest.till - now)
  -- one call at a time since a doubt, and one since a 429
  local since = math.min(s.sure and s.seq or s.doubtedAt, s.rest.careful and s.rest.seq or s.seq)
  local _, live = flying(since)
  if isCareful() and live > 0 then wait = math.max(wait, pollMs) end
  each(function(w, kind) wait = math.max(wait, waitIn(w, kind)) end)
  return wait
end

local function hear(w, kind, call, limit, left, isRefusal)
  count(w, lengths[kind], call and call.at or now - holdMs, now, limit and not isRefusal)
  if not limit then return goWithoutWord(w) end
  w.limit = limit
  left = left - w.freed
  if call then left = left - (w.wordless - call[kind]) end
  if call and call.seq > w.newest then
    w.newest = call.seq
    local kept = {}
    for _, word in ipairs(w.words) do
      if word.seq > call.seq then table.insert(kept, word) end
    end
    w.words = kept
  end
  table.insert(w.words, { seq = s.seq, left = left })
  w.toldAt = now
end

local function judge(call, isRefusal)
  local rest = s.rest
  local isNews = call and call.seq > rest.seq or not call and rest.till <= now
  if not isNews then return end
  if not isRefusal then
    if call then rest.strikes, rest.careful, rest.guess = 0, false, nil end
    return
  end
  rest.guess = math.min(60000, 1000 * 2 ^ rest.strikes)
  rest.strikes, rest.careful, rest.seq = math.min(rest.strikes + 1, 10), true, s.seq
  rest.till = math.max(rest.till, now + 1000)
end

local granted = 0
local call = s.calls[id]
if act == 'reserve' then
  if ARGV[7] == '1' or waitMs() == 0 then
    granted = 1
    s.calls[id] = { seq = s.seq, at = now, till = now + holdMs, hour = s.hour.wordless, minute = s.minute.wordless }
    s.calls[id].spentAt = s.hour.spentAt
    each(function(w) w.spentAt = now end)
  end
elseif act == 'heard' then
  s.calls[id] = nil
  local isRefusal = ARGV[7] == '1'
  hear(s.hour, 'hour', call, tonumber(ARGV[8]), tonumber(ARGV[9]), isRefusal)
  hear(s.minute, 'minute', call, tonumber(ARGV[10]), tonumber(ARGV[11]), isRefusal)
  judge(call, isRefusal)
  if call and call.seq > s.mark and (tonumber(ARGV[8]) or not s.hour.limit) then s.sure = true end
elseif act == 'rest' then
  s.rest.till = math.max(s.rest.till, now + (tonumber(ARGV[7]) or s.rest.guess or 0))
  s.rest.guess = nil
elseif act == 'ended' and call then
  call.till, call.gone = math.min(call.till, now + goneMs), true
elseif act == 'release' then
  s.calls[id] = nil
  -- a test that was not made puts off no other; a replica of an older version notes no spentAt
  if call and s.hour.spentAt == call.at then
    each(function(w) w.spentAt = call.spentAt or w.spentAt end)
  end
end

-- a look writes too: where no call could be written, what is read is no word to go by
redis.call('SET', name, cmsgpack.pack(s), 'PX', lengths.hour + lengths.minute + holdMs)
local told = {
  granted,
  waitMs(),
  math.max(0, s.rest.till - now),
  isCareful() and 1 or 0,
  math.max(0, now - math.max(s.hour.toldAt, s.hour.spentAt))
}
each(function(w, kind)
  table.insert(told, w.limit or -1)
  table.insert(told, w.limit and math.max(0, (leftIn(w, kind))) or -1)
end)
return told
`)
