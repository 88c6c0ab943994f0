/**
 * Faces that cameras number and send: compared first, then stored exactly once with what tasks made of them, and acknowledged after the
 * commit. Messages of all cameras of a park that arrive together share a transaction, as those of terminals do. The pictures follow.
 */
import type { CaptureObject, numberedCalls } from '@gatehouse/contract/device/numbered'
import type { DataOf, OutputOf } from '@gatehouse/contract'
import { createBatches } from '../../platform/async/batches.ts'
import type { Platform } from '../../platform/context.ts'
import { recordId } from '../../platform/database/ids.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import type { DevicePrincipal, Scope } from '../../platform/session/session.ts'
import type { KeptCapture } from './captures-data.ts'
import { clockCorrection, isCamera } from './captures-camera.ts'
import type { CaptureKeeping } from './captures-keeping.ts'
import { CAPTURE_TEMPLATE } from './captures-schema.ts'
import type { CaptureStore } from './captures-store.ts'
import type { Camera, CaptureDependencies, PreparedCapture, TaskOutcome } from './captures-types.ts'
import type { MatchFace } from './matching.ts'

type Calls = typeof numberedCalls
export type CapturesMessage = OutputOf<Calls['captures']['body']>

type Answer = DataOf<Calls['captures']>
interface Sent {
  device: DevicePrincipal
  message: CapturesMessage
}
interface Compared extends Sent {
  /** By their numbers. */
  prepared: ReadonlyMap<number, PreparedCapture>
}

/** Messages that share a transaction at most: with 50 captures in each, the rows of one are a few megabytes. */
const MESSAGES_MAX = 32

export interface CaptureIngest {
  /** @throws NotFound where the device is no camera; InvalidRequest an epoch that is no storable text */
  take(device: DevicePrincipal, message: CapturesMessage): Promise<Answer>
}

interface IngestParts {
  store: Pick<CaptureStore, 'add' | 'kept'>
  match: MatchFace
  keeping: Pick<CaptureKeeping, 'ofAll' | 'count'>
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

export function createCaptureIngest(
  platform: Platform,
  needs: Pick<CaptureDependencies, 'devices' | 'numbered' | 'faces'>,
  { store, match, keeping }: IngestParts,
): CaptureIngest {
  const { crypto, clock } = platform

  async function prepare(
    scope: Scope,
    camera: Camera,
    { epoch, modelId, sentAt }: CapturesMessage,
    { seq, enteredAt, capturedAt, leftAt, quality, faceWidth, template }: CaptureObject,
    now: number,
  ): Promise<PreparedCapture> {
    const id = recordId(camera.id, epoch, seq)
    const corrected = clockCorrection(now, sentAt)
    const plain = template === null ? null : Buffer.from(template, 'base64')
    // A template of another model is kept as it is; once the picture is there, the server makes its own.
    const isComparable = plain?.byteLength === needs.faces.description.dimensions * 4 && modelId === needs.faces.modelId
    const at = corrected(capturedAt)
    const outcomes: TaskOutcome[] | null = isComparable ? await match(scope, camera.id, at, { modelId, template: plain }) : null
    return {
      outcomes,
      row: {
        id,
        deviceId: camera.id,
        deviceName: camera.name,
        deviceType: camera.type,
        enteredAt: corrected(enteredAt),
        capturedAt: at,
        leftAt: corrected(leftAt),
        receivedAt: now,
        quality,
        faceWidth,
        modelId: plain === null ? null : modelId,
        template: plain === null ? null : await crypto.seal(scope.parkId, placeOf(CAPTURE_TEMPLATE, id), plain),
        fileId: null,
        comparedAt: outcomes === null ? null : now,
      },
    }
  }

  /** Compare the captures of messages of cameras of one park. @returns for each what is stored of it, or why nothing is */
  async function compareAll(parkId: string, sent: readonly Sent[]): Promise<(Compared | Error)[]> {
    const scope = { parkId }
    const now = clock.now()
    const facts = await needs.devices.facts(scope, [...new Set(sent.map(({ device }) => device.deviceId))])
    const cameras = new Map(facts.filter(isCamera).map((camera) => [camera.id, camera]))
    return Promise.all(
      sent.map(async ({ device, message }) => {
        const camera = cameras.get(device.deviceId)
        if (camera === undefined) return new NotFound()
        const prepared = await Promise.all(
          message.captures.map(async (capture) => [capture.seq, await prepare(scope, camera, message, capture, now)] as const),
        )
        return { device, message, prepared: new Map(prepared) }
      }),
    )
  }

  /** Store messages of cameras of one park that were compared. @returns the answer to each */
  async function storeAll(parkId: string, compared: readonly Compared[]): Promise<Answer[]> {
    const scope = { parkId }
    const set = await keeping.ofAll(scope, [...new Set(compared.map(({ device }) => device.deviceId))])
    // The numbers of cameras are locked in one order; of one camera, what came first is taken first.
    const inOrder = compared.toSorted((one, other) => compare(one.device.deviceId, other.device.deviceId))
    const answers = new Map<Compared, Answer>()
    await platform.transaction(async (tx) => {
      const captures: PreparedCapture<KeptCapture>[] = []
      for (const one of inOrder) {
        const { device, message, prepared } = one
        const { epoch, oldestSeq, captures: items } = message
        const { fresh, ackSeq } = await needs.numbered.take(tx, device, 'capture', { epoch, oldestSeq, items })
        const { deviceId } = device
        const ofDevice = fresh.map(({ seq }) => prepared.get(seq)!)
        const kept = ofDevice.length === 0 ? [] : await store.kept(tx, scope, set.get(deviceId)!, ofDevice)
        captures.push(...kept)
        if (set.get(deviceId)!.keeping === 'matchedOnly')
          await keeping.count(tx, scope, deviceId, { passed: ofDevice.length, kept: kept.length })
        answers.set(one, { ackSeq })
      }
      if (captures.length > 0) await store.add(tx, scope, captures)
    })
    return compared.map((one) => answers.get(one)!)
  }

  // Compared before the transaction, so that no lock is held meanwhile, and while those before are stored: the search is as busy as the
  // database. Of what was sent before, the comparison is all that is done again.
  const compared = createBatches(compareAll, MESSAGES_MAX)
  const stored = createBatches(storeAll, MESSAGES_MAX)
  return { take: async (device, message) => stored(device.parkId, await compared(device.parkId, { device, message })) }
}
