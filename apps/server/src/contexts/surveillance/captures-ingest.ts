/**
 * Faces that cameras number and send: compared first, then stored exactly once with what tasks made of them, and acknowledged after the
 * commit. The pictures follow.
 */
import { deviceType } from '@gatehouse/contract/enums/devices'
import type { CaptureObject, numberedCalls } from '@gatehouse/contract/device/numbered'
import type { DataOf, OutputOf } from '@gatehouse/contract'
import type { Platform } from '../../platform/context.ts'
import { recordId } from '../../platform/database/ids.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import type { DevicePrincipal, Scope } from '../../platform/session/session.ts'
import { CAPTURE_TEMPLATE } from './captures-schema.ts'
import type { CaptureStore } from './captures-store.ts'
import type { Camera, CaptureDependencies, PreparedCapture, TaskOutcome } from './captures-types.ts'
import type { MatchFace } from './matching.ts'

type Calls = typeof numberedCalls
export type CapturesMessage = OutputOf<Calls['captures']['body']>

export interface CaptureIngest {
  /** @throws NotFound where the device is no camera; InvalidRequest an epoch that is no storable text */
  take(device: DevicePrincipal, message: CapturesMessage): Promise<DataOf<Calls['captures']>>
}

/** Return the camera a device is. @throws NotFound where it is none */
export async function cameraOf({ devices }: Pick<CaptureDependencies, 'devices'>, scope: Scope, deviceId: string): Promise<Camera> {
  const [facts] = await devices.facts(scope, [deviceId])
  if (facts?.type !== deviceType.captureCamera) throw new NotFound()
  return { id: facts.id, name: facts.name, type: facts.type }
}

/** Return a function that sets the clock of the device right; nothing was captured later than now. */
export function clockCorrection(now: number, sentAt: number): (moment: number) => number {
  const offset = now - sentAt
  return (moment) => Math.min(now, Math.max(0, moment + offset))
}

export function createCaptureIngest(
  platform: Platform,
  needs: Pick<CaptureDependencies, 'devices' | 'numbered' | 'faces'>,
  store: Pick<CaptureStore, 'add'>,
  match: MatchFace,
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

  return {
    async take(device, message) {
      const scope = { parkId: device.parkId }
      const camera = await cameraOf(needs, scope, device.deviceId)
      const now = clock.now()
      // Compared before the transaction, so that no lock is held meanwhile; of what was sent before, that is all that is done again.
      const prepared = new Map(
        await Promise.all(
          message.captures.map(async (capture) => [capture.seq, await prepare(scope, camera, message, capture, now)] as const),
        ),
      )
      return platform.transaction(async (tx) => {
        const { epoch, oldestSeq, captures: items } = message
        const { fresh, ackSeq } = await needs.numbered.take(tx, device, 'capture', { epoch, oldestSeq, items })
        if (fresh.length > 0)
          await store.add(
            tx,
            scope,
            camera.id,
            fresh.map(({ seq }) => prepared.get(seq)!),
          )
        return { ackSeq }
      })
    },
  }
}
