/** How much of processor, memory and disk is in use on the machine the terminal runs on. */
import { statfs } from 'node:fs/promises'
import { cpus, freemem, totalmem } from 'node:os'
import type { ResourceUsage } from '@gatehouse/contract/maintenance/resources'

const percent = (part: number, whole: number): number =>
  whole > 0 ? Math.min(100, Math.max(0, Math.round((1000 * part) / whole) / 10)) : 0

/** Milliseconds all processors were busy, and all there were, since the machine started. */
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

/** @param folder on the disk that is meant. @returns asks; the processor's share is that since it was asked last */
export function usageOf(folder: string): () => Promise<ResourceUsage> {
  let before = processorTimes()
  let cpu = 0
  return async () => {
    const now = processorTimes()
    // Asked twice within a tick of the clock: the share is the one of before.
    if (now.all > before.all) cpu = percent(now.busy - before.busy, now.all - before.all)
    before = now
    const { blocks, bavail } = await statfs(folder)
    return { cpu, memory: percent(totalmem() - freemem(), totalmem()), disk: percent(blocks - bavail, blocks) }
  }
}
