local stream = require("citestream").stream({ style = "numeric" })
for line in io.lines() do
  io.write(stream:feed(line .. "\n"))
  io.flush()
end
io.write((stream:finish()))
