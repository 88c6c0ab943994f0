/** The server of `server.process.ts`, which reports on request its memory after everything that can be freed has been. */
import { getHeapCodeStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { setImmediate as turn } from 'node:timers/promises'
import './server.process.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

process.on('message', () => void measure())

async function measure(): Promise<void> {
  // Objects finalised by one collection are freed by the next.
  for (let times = 0; times < 4; times++) {
    collect()
    await turn()
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  // For minutes, the amount of compiled code depends on how often functions run: it is no measure of retained memory.
  const { code_and_metadata_size: compiled, bytecode_and_metadata_size: bytecode } = getHeapCodeStatistics()
  process.send!({ usedBytes: heapUsed + external - compiled - bytecode, rss })
}
