/** Usage of processor, memory and disk on the machine the terminal runs on. */
import { statfs } from 'node:fs/promises'
import { cpus, freemem, totalmem } from 'node:os'
import type { ResourceUsage } from '@gatehouse/contract/maintenance/resources'

const percent = (part: number, whole: number): number =>
  whole > 0 ? Math.min(100, Math.max(0, Math.round((1000 * part) / whole) / 10)) : 0

/** Return the milliseconds all processors were busy, and all milliseconds, since the machine started. */
function processorTimes(): { busy: number; all: number } {
  let busy = 0
  let all = 0
  for (const { times } of cpus()) {
    const sum = times.user + times.nice + times.sys + times.idle + times.irq
    all += sum
    busy += sum - times.idle
  }
  return { busy, all }
}

/** Return a function that measures the usage; the processor's share is that since its last call. @param folder on the disk to measure */
export function usageOf(folder: string): () => Promise<ResourceUsage> {
  let before = processorTimes()
  let cpu = 0
  return async () => {
    const now = processorTimes()
    // Called twice within a tick of the clock, it returns the previous share.
    if (now.all > before.all) cpu = percent(now.busy - before.busy, now.all - before.all)
    before = now
    const { blocks, bavail } = await statfs(folder)
    return { cpu, memory: percent(totalmem() - freemem(), totalmem()), disk: percent(blocks - bavail, blocks) }
  }
}
