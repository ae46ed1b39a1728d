-- embedded.lua FILE ROUNDS: rewrites the stream in FILE ROUNDS times, in reads of 16 KB, like a gateway in Lua.
local citestream = require("citestream")
local file = assert(io.open(arg[1], "rb"))
local all = file:read("*a")
local options, size = citestream.options(), 0
for _ = 1, tonumber(arg[2]) do
  local stream = citestream.stream(options)
  for at = 1, #all, 16384 do
    size = size + #stream:feed(all:sub(at, at + 16383))
  end
  size = size + #(stream:finish())
  stream:close()
end
os.exit(size == 0 and tonumber(arg[2]) > 0 and 1 or 0)
