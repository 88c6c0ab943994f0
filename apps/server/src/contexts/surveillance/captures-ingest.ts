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

  /** Store messages of cameras of one park. @returns for each its answer, or why it has none */
  async function takeAll(parkId: string, sent: readonly Sent[]): Promise<(Answer | Error)[]> {
    const scope = { parkId }
    const now = clock.now()
    const facts = await needs.devices.facts(scope, [...new Set(sent.map(({ device }) => device.deviceId))])
    const cameras = new Map(facts.filter(isCamera).map((camera) => [camera.id, camera]))
    const set = await keeping.ofAll(scope, [...cameras.keys()])
    const ofCameras = sent.flatMap(({ device, message }, at) => {
      const camera = cameras.get(device.deviceId)
      return camera === undefined ? [] : [{ at, device, camera, message }]
    })
    // Compared before the transaction, so that no lock is held meanwhile; of what was sent before, that is all that is done again.
    const compared = await Promise.all(
      ofCameras.map(async ({ camera, message, ...one }) => ({
        ...one,
        message,
        prepared: new Map(
          await Promise.all(
            message.captures.map(async (capture) => [capture.seq, await prepare(scope, camera, message, capture, now)] as const),
          ),
        ),
      })),
    )
    // The numbers of cameras are locked in one order; of one camera, what came first is taken first.
    const inOrder = compared.toSorted((one, other) => compare(one.device.deviceId, other.device.deviceId))
    const answers = sent.map((): Answer | Error => new NotFound())
    await platform.transaction(async (tx) => {
      const captures: PreparedCapture<KeptCapture>[] = []
      for (const { at, device, message, prepared } of inOrder) {
        const { epoch, oldestSeq, captures: items } = message
        const { fresh, ackSeq } = await needs.numbered.take(tx, device, 'capture', { epoch, oldestSeq, items })
        const { deviceId } = device
        const ofDevice = fresh.map(({ seq }) => prepared.get(seq)!)
        const kept = ofDevice.length === 0 ? [] : await store.kept(tx, scope, set.get(deviceId)!, ofDevice)
        captures.push(...kept)
        if (set.get(deviceId)!.keeping === 'matchedOnly')
          await keeping.count(tx, scope, deviceId, { passed: ofDevice.length, kept: kept.length })
        answers[at] = { ackSeq }
      }
      if (captures.length > 0) await store.add(tx, scope, captures)
    })
    return answers
  }

  const take = createBatches(takeAll, MESSAGES_MAX)
  return { take: (device, message) => take(device.parkId, { device, message }) }
}
