/**
 * The scripts of a gate in Redis. Each is one step for all processes, and uses the clock of Redis.
 *
 * A gate is a hash, absent while it is open without a failure:
 *
 * - `until`: when it opens for a probe; present from its closing to the success of a probe
 * - `cause`: why it is closed, `throttled` or `failed`
 * - `round`: closings since the last success
 * - `failures`: failures in a row that have not closed it
 * - `prober`, `probe`: the call that probes, and when its lease ends
 * - `note`: why the engine refuses its calls, such as `quota`; that closes nothing
 *
 * Beside it is a sorted set of the calls in flight, with the ends of their leases.
 */
const clock = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function number(field) return tonumber(redis.call('HGET', KEYS[1], field) or nil) or 0 end
`;

/**
 * Lets a call in, as the probe when the gate was closed.
 *
 * Keys: gate, calls. Arguments: id of the call, its lease, the most calls at once. Answers: `in` and the
 * round, `closed`, the milliseconds and the cause, or `full`.
 */
export const enterScript = `${clock}
local closedUntil = number('until')
if closedUntil > 0 then
  local wait = math.max(closedUntil - now, number('probe') - now)
  if wait > 0 then
    local state = closedUntil > now and 'closed' or 'probed'
    return { state, wait, redis.call('HGET', KEYS[1], 'cause') }
  end
end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[3]) then return { 'full' } end
redis.call('ZADD', KEYS[2], now + ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
if closedUntil > 0 then
  redis.call('HSET', KEYS[1], 'prober', ARGV[1], 'probe', now + ARGV[2])
  redis.call('PEXPIRE', KEYS[1], 3600000 + ARGV[2])
end
return { 'in', number('round') }
`;

/** Renews the lease of a call. Keys: gate, calls. Arguments: id of the call, its lease. */
export const renewScript = `${clock}
redis.call('ZADD', KEYS[2], 'XX', now + ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
if redis.call('HGET', KEYS[1], 'prober') == ARGV[1] then
  redis.call('HSET', KEYS[1], 'probe', now + ARGV[2])
end
return { 'renewed' }
`;

/**
 * Lets a call out, and closes or opens the gate by its outcome. A call that began before the last closing
 * opens nothing, and prolongs the closing only when the engine says until when.
 *
 * Keys: gate, calls. Arguments: id of the call, the round in which it began, its outcome (`answered`,
 * `refused`, `throttled`, `failed`, `left`), a note for `refused`, the milliseconds that the engine asks to
 * wait or -1, failures in a row that close the gate, base and cap of the back-off, a random number below 1.
 * Answers: the milliseconds for which the gate is closed.
 */
export const leaveScript = `${clock}
local id, outcome, note, asked = ARGV[1], ARGV[3], ARGV[4], tonumber(ARGV[5])
redis.call('ZREM', KEYS[2], id)
local closedUntil = number('until')
local isProbe = redis.call('HGET', KEYS[1], 'prober') == id
if isProbe then redis.call('HDEL', KEYS[1], 'prober', 'probe') end
if outcome == 'left' then return { 0 } end
if outcome == 'answered' or outcome == 'refused' then
  if closedUntil > 0 and not isProbe then return { math.max(0, closedUntil - now) } end
  redis.call('DEL', KEYS[1])
  if outcome == 'refused' and note ~= '' then
    redis.call('HSET', KEYS[1], 'note', note)
    redis.call('PEXPIRE', KEYS[1], 3600000)
  end
  return { 0 }
end
if number('round') ~= tonumber(ARGV[2]) then
  if asked >= 0 and closedUntil > 0 and now + asked > closedUntil then
    closedUntil = now + asked
    redis.call('HSET', KEYS[1], 'until', closedUntil)
    redis.call('PEXPIRE', KEYS[1], 3600000 + asked)
  end
  return { math.max(0, closedUntil - now) }
end
if outcome == 'failed' and not isProbe then
  if redis.call('HINCRBY', KEYS[1], 'failures', 1) < tonumber(ARGV[6]) then
    redis.call('PEXPIRE', KEYS[1], 3600000)
    return { 0 }
  end
end
local round = redis.call('HINCRBY', KEYS[1], 'round', 1)
local wait = asked
if wait < 0 then
  local backoff = math.min(tonumber(ARGV[8]), ARGV[7] * 2 ^ math.min(round - 1, 30))
  wait = math.floor(backoff * (0.5 + ARGV[9] / 2))
end
redis.call('HSET', KEYS[1], 'until', now + wait, 'cause', outcome)
redis.call('HDEL', KEYS[1], 'failures', 'note')
redis.call('PEXPIRE', KEYS[1], 3600000 + wait)
return { wait }
`;

/** Reads a gate. Keys: gate. Answers: the milliseconds until a probe or -1, the cause, the note. */
export const readScript = `${clock}
local closedUntil = number('until')
local cause, note = redis.call('HGET', KEYS[1], 'cause'), redis.call('HGET', KEYS[1], 'note')
return { closedUntil > 0 and math.max(0, closedUntil - now) or -1, cause or '', note or '' }
`;
