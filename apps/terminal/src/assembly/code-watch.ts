/** The search for QR codes in the pictures of the camera, as this terminal is set up. */
import { isPassText } from '@gatehouse/contract/device/visitor-pass'
import { createCodeFinder } from '../camera/code-finder.ts'
import { createCodeWatch, type CodeWatch } from '../camera/code-watch.ts'
import { Paused } from '../passage/passage.ts'
import type { Core } from './core.ts'

/** Name of the camera as a source of codes: unknown ones are counted for each source. */
const SOURCE = 'camera'

export function watchCodes({
  core: { decisions, passage },
  log,
}: {
  core: Pick<Core, 'decisions' | 'passage'>
  log: (sentence: string) => void
}): CodeWatch {
  const { decider, settings } = decisions
  return createCodeWatch({
    find: createCodeFinder(),
    isExpected() {
      const current = settings()
      if (current === null || !decider.takesCodes(current)) return false
      const awaited = passage.awaiting()
      // A person who showed the code is asked for the face: the machine is left to the face engine.
      return awaited === null || awaited.factors.includes('qrCode')
    },
    isOurs: (text) => isPassText(text) || decider.isRegistered({ kind: 'qrCode', text }),
    async show(text) {
      try {
        return (await passage.show({ kind: 'qrCode', text }, SOURCE)).verdict === 'rejected'
      } catch (error) {
        // The delay has been logged, once for all inputs it affects.
        if (error instanceof Paused) return true
        throw error
      }
    },
    log,
  })
}
