/** Handlers of captures: those cameras send, and the lists of them. */
import { captureCalls } from '@gatehouse/contract/surveillance/captures'
import { numberedCalls } from '@gatehouse/contract/device/numbered'
import { handler, type MountedCall } from '../../platform/context.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { CaptureIngest } from './captures-ingest.ts'
import type { CaptureKeeping } from './captures-keeping.ts'
import type { PassingCaptures } from './captures-passing.ts'
import type { CapturePictures } from './captures-pictures.ts'
import type { CaptureLists } from './captures.ts'
import { scopeOfAlarms } from './policy.ts'

/** Return the bytes of the file that a request must bring. @throws InvalidRequest */
function bytesOf(file: { bytes: Buffer } | null): Buffer {
  if (file === null) throw new InvalidRequest([{ path: 'file', rule: 'required' }])
  return file.bytes
}

interface CaptureParts {
  ingest: CaptureIngest
  pictures: CapturePictures
  passing: PassingCaptures
  keeping: Pick<CaptureKeeping, 'read'>
  lists: CaptureLists
}

export const captureHandlers = (parts: CaptureParts): MountedCall[] => [
  handler(numberedCalls.captures, ({ device, body }) => parts.ingest.take(device, body)),
  handler(numberedCalls.capturePicture, async ({ device, params, file }) => {
    await parts.pictures.attach(device, params, bytesOf(file))
  }),
  handler(numberedCalls.postedCapture, async ({ device, query, file }) => ({
    captures: await parts.pictures.post(device, query, bytesOf(file)),
  })),
  handler(numberedCalls.passingCapture, ({ device, body }) => parts.passing.take(device, body)),
  handler(numberedCalls.lostCaptures, ({ device, body }) => parts.passing.lost(device, body)),
  handler(captureCalls.kept, ({ scope, query }) => parts.keeping.read(scope, query.deviceId)),
  handler(captureCalls.find, ({ scope, session, body }) => parts.lists.list(scope, body, scopeOfAlarms(session))),
]
