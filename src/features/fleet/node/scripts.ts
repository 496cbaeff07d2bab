/**
 * Atomic scripts. A hash holds all reports of one account, so that a cluster can distribute accounts: `e` identifies
 * the hash's life, `r` counts its changes, `m:<machine>` holds `<change> <until> <words>`.
 */

/** In ms. */
const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/**
 * Writes a report unless a newer one exists or its time is in the future.
 * KEYS: the account. ARGV: channel, machine, time, expiry, report, most machines, clock tolerance.
 * @returns server time, life, number of the change; 0 if not written.
 */
export const PUT = `${NOW}
local key, channel, machine = KEYS[1], ARGV[1], 'm:' .. ARGV[2]
local saidAt, till, words, most = tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5], tonumber(ARGV[6])
local life = redis.call('HGET', key, 'e')
if not life then
  life = now .. '-' .. string.sub(redis.sha1hex(now .. channel .. words), 1, 8)
  redis.call('HSET', key, 'e', life)
end
local old = redis.call('HGET', key, machine)
if old then
  local known = tonumber(string.match(old, '^%d+ %d+ (%d+)'))
  if known and known >= saidAt and known <= now + tonumber(ARGV[7]) then return { now, life, 0 } end
elseif redis.call('HLEN', key) > most + 1 then
  local all = redis.call('HGETALL', key)
  local left = 0
  for at = 1, #all, 2 do
    if string.sub(all[at], 1, 2) == 'm:' then
      local ends = tonumber(string.match(all[at + 1], '^%d+ (%d+)'))
      if not ends or ends <= now then redis.call('HDEL', key, all[at]) else left = left + 1 end
    end
  end
  if left >= most then return { now, life, 0 } end
end
local change = redis.call('HINCRBY', key, 'r', 1)
redis.call('HSET', key, machine, change .. ' ' .. ARGV[4] .. ' ' .. ARGV[3] .. ' ' .. words)
local ends = now + redis.call('PTTL', key)
if ends < till then redis.call('PEXPIREAT', key, ARGV[4]) end
redis.call('PUBLISH', channel, life .. ' ' .. change .. ' ' .. ARGV[2] .. ' ' .. ARGV[4] .. ' ' .. ARGV[3] .. ' ' .. words)
return { now, life, change }
`;

/**
 * Reads changed reports.
 * KEYS: the account. ARGV: last received life and change, most machines, longest report.
 * @returns server time, life, last change (-1 if the hash holds more than a team writes), then machines and reports
 * alternately.
 */
export const READ = `${NOW}
local life = redis.call('HGET', KEYS[1], 'e')
if not life then return { now, '', 0 } end
local since = 0
if life == ARGV[1] then since = tonumber(ARGV[2]) end
local last = tonumber(redis.call('HGET', KEYS[1], 'r')) or 0
local found = { now, life, last }
if last <= since then return found end
if redis.call('HLEN', KEYS[1]) > 4 * tonumber(ARGV[3]) then return { now, life, -1 } end
local all = redis.call('HGETALL', KEYS[1])
for at = 1, #all, 2 do
  if string.sub(all[at], 1, 2) == 'm:' and #all[at + 1] <= tonumber(ARGV[4]) and #found < 2 * tonumber(ARGV[3]) + 3 then
    local change, ends = string.match(all[at + 1], '^(%d+) (%d+) ')
    if change and tonumber(change) > since and tonumber(ends) > now then
      found[#found + 1] = string.sub(all[at], 3)
      found[#found + 1] = string.match(all[at + 1], '^%d+ (.*)$')
    end
  end
end
return found
`;

/** KEYS: the probe. ARGV: machine, duration in ms. @returns 1, or 0 if another machine has it. */
export const LEASE = `
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end
if redis.call('GET', KEYS[1]) == ARGV[1] then return 1 end
return 0
`;

/** KEYS: the probe. ARGV: the machine. */
export const RELEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`;
