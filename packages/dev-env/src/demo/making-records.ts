/** The passages of the demo campus until now, as its devices send them, with their pictures. */
import { accessResult } from '@gatehouse/contract/enums'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { SEED, type DemoDevice } from './campus.ts'
import { isPictured, REFUSED_PICTURED_MS } from './day.ts'
import type { MakingParts, OnProgress } from './making-types.ts'
import { sightOf } from './painter.ts'
import { approachesTo, type Approach } from './passages.ts'
import type { SimulatedDevice } from './simulated-device.ts'
import { recordOf, type Verdicts } from './verdicts.ts'

const DAY = 86_400_000
/** Records of one request. */
const PAGE = 100

/** Return the time of the newest record of a device; 0 where there is none. */
async function newestOf({ maker }: MakingParts, deviceId: string): Promise<number> {
  const { content } = await maker.call(recordCalls.find, { body: { deviceId, size: 1 } })
  return content[0]?.time ?? 0
}

/** Send the records of a device until a moment that are not stored yet, and queue the pictures that are missing. */
export async function fillRecords(
  parts: MakingParts,
  device: DemoDevice,
  verdicts: Omit<Verdicts, 'holdings'>,
  until: number,
  onProgress: OnProgress,
): Promise<void> {
  const { server, roster, maker, campus } = parts
  const { size, anchor } = campus
  const simulated = parts.connected.get(device)
  if (simulated === undefined) return parts.advance(onProgress, size.recordSteps)
  const deviceId = simulated.deviceId()
  // The device must store the new persons before it decides.
  await server.contexts.synchronisation.service.settled()
  await simulated.synchronised()
  const approaches = approachesTo(device.direction, SEED, roster, anchor - size.weeks * 7 * DAY, until)
  const stored = simulated.stored()
  // Stored records are skipped by their number, and by their time for a campus that a version with another rhythm began.
  const newest = stored === 0 ? 0 : await newestOf(parts, deviceId)
  const coming = approaches.slice(stored).filter(({ moment }) => moment > newest)
  for (let step = 0; step < size.recordSteps; step++) {
    await maker.checkWanted()
    const placeOf = (at: number): number => Math.ceil((coming.length * at) / size.recordSteps)
    const [first, last] = [placeOf(step), placeOf(step + 1)]
    const records = coming.slice(first, last).map((approach, index) => {
      const record = recordOf(approach, { ...verdicts, holdings: simulated.holdings })
      if (record === null) throw new Error(`device ${device.code} has no settings yet`)
      const hasPicture = isPictured(approach.moment, record.result === accessResult.rejected, until)
      return { seq: stored + first + index + 1, ...record, hasPicture }
    })
    await simulated.send(records)
    await parts.advance(onProgress)
  }
  await addMissingPictures(parts, simulated, deviceId, approaches, until)
}

/** Queue the pictures that stored records lack, including those that an earlier start left without one. */
async function addMissingPictures(
  { maker, roster, pictures }: MakingParts,
  simulated: SimulatedDevice,
  deviceId: string,
  approaches: readonly Approach[],
  until: number,
): Promise<void> {
  const byMoment = new Map(
    approaches.filter(({ moment }) => isPictured(moment, true, until)).map((approach) => [approach.moment, approach]),
  )
  const startTime = until - REFUSED_PICTURED_MS
  for (let page = 1; ; page++) {
    const body = { deviceId, startTime, page, size: PAGE }
    const { content, total: records } = await maker.call(recordCalls.find, { body })
    pictures.add(
      content.flatMap(({ id, time, result, captureImage }) => {
        const approach = byMoment.get(time)
        if (captureImage !== '' || approach === undefined || !isPictured(time, result === accessResult.rejected, until)) return []
        const sight = sightOf(
          approach,
          roster.find(({ workNumber }) => workNumber === approach.workNumber),
        )
        return [{ moment: time, sight, send: (picture: Uint8Array) => simulated.addPicture(id, picture) }]
      }),
    )
    if (page * PAGE >= records || content.length === 0) return
  }
}
