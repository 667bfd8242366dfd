-- What wrk asks for: each line of a file is a path and the values of two headers, asked for in turn. Prints what came of it as
-- JSON, with the processor time of wrk itself, which nobody can read once it has ended.
local requests, at, count = {}, 0, 0

function init(args)
  for line in io.lines(args[1]) do
    local path, authorization, known = line:match("^(.-)\t(.-)\t(.*)$")
    local headers = {}
    if authorization ~= "" then headers["Authorization"] = authorization end
    if known ~= "" then headers["If-None-Match"] = known end
    count = count + 1
    requests[count] = wrk.format("GET", path, headers)
  end
end

function request()
  at = at % count + 1
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"answers":%d,"seconds":%.6f,"bytes":%d,"p50":%.3f,"p95":%.3f,"p99":%.3f,"most":%.3f,"cpuMs":%.1f,' ..
    '"outcomes":{"refused":%d,"connect":%d,"read":%d,"write":%d,"timeouts":%d}}\n',
    summary.requests, summary.duration / 1e6, summary.bytes,
    latency:percentile(50) / 1e3, latency:percentile(95) / 1e3, latency:percentile(99) / 1e3, latency.max / 1e3, os.clock() * 1e3,
    errors.status, errors.connect, errors.read, errors.write, errors.timeout))
end
