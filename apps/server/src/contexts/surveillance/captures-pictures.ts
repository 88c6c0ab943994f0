/**
 * Pictures of captures: those that follow captures a camera has numbered, and those of cameras that send nothing but pictures. The server
 * makes the templates that cameras made none of, and compares them then.
 */
import { RECORD_NAMESPACE } from '@gatehouse/contract/device/record-id'
import type { Platform } from '../../platform/context.ts'
import { recordId, uuidV5 } from '../../platform/database/ids.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import { isStorableText } from '../../platform/http/nul.ts'
import { InvalidRequest, NotFound, Refusal, TooManyTries, refuse } from '../../platform/http/refusal.ts'
import type { DevicePrincipal, Scope } from '../../platform/session/session.ts'
import type { FaceInPicture } from '../faces/index.ts'
import * as data from './captures-data.ts'
import { cameraOf } from './captures-ingest.ts'
import { CAPTURE_TEMPLATE } from './captures-schema.ts'
import type { CaptureStore } from './captures-store.ts'
import type { Camera, CaptureDependencies, PreparedCapture } from './captures-types.ts'
import { captureCompanions } from './extension-points.ts'
import type { MatchFace } from './matching.ts'
import { announceTemplates } from './search-events.ts'

export interface CapturePictures {
  /**
   * Store the picture of a capture; one that has a picture keeps it.
   * @throws NotFound no camera, or no such capture; Refusal 200205 unreadable; TooManyTries too many pictures wait
   */
  attach(device: DevicePrincipal, at: { epoch: string; seq: number }, picture: Uint8Array): Promise<void>
  /**
   * Make a capture of each face of a picture; return how many. A picture that was taken before makes no others.
   * @throws NotFound no camera; Refusal as `FacesIn`
   */
  post(device: DevicePrincipal, event: { eventId: string; occurredAt?: number | undefined }, picture: Uint8Array): Promise<number>
}

/** Width in pixels from which a face of a posted picture becomes a capture: smaller ones are mistaken for others too often. */
const FACE_WIDTH_MIN = 40
/** Faces of one posted picture that become captures, the most prominent. */
const FACES_MAX = 20

/** The code of an engine that is busy, and milliseconds after which a camera tries again. */
const ENGINE_BUSY = 900000
const BUSY_MS = 5_000
/** Codes of a picture that shows no face, or is too small for one. */
const WITHOUT_FACE: ReadonlySet<number> = new Set([200206, 200208])

/** A face of a posted picture, cut out and stored under the id of its future capture. */
interface WrittenFace {
  id: string
  face: FaceInPicture
  fileId: string
}

export function createCapturePictures(
  platform: Platform,
  needs: Pick<CaptureDependencies, 'devices' | 'faces'>,
  store: CaptureStore,
  match: MatchFace,
): CapturePictures {
  const { db, clock, crypto, storage } = platform
  const { faces } = needs

  const sealed = (scope: Scope, id: string, template: Uint8Array): Promise<Buffer> =>
    crypto.seal(scope.parkId, placeOf(CAPTURE_TEMPLATE, id), template)

  /** @throws TooManyTries while the engine is busy: a camera drops a picture that is refused by a code, and sends this one again */
  const facesIn = (picture: Uint8Array, cameraId: string): Promise<FaceInPicture[]> =>
    faces.facesIn(picture, cameraId).catch((error: unknown) => {
      throw error instanceof Refusal && error.code === ENGINE_BUSY ? new TooManyTries(BUSY_MS) : error
    })

  /** Return the template of the foremost face and what tasks make of it; null where the picture shows none. */
  async function compared(scope: Scope, capture: data.StoredCapture, picture: Uint8Array) {
    const [face] = await facesIn(picture, capture.deviceId).catch((error: unknown): FaceInPicture[] => {
      // The picture of a capture is kept even if nothing can be made of it.
      if (error instanceof Refusal && WITHOUT_FACE.has(error.code)) return []
      throw error
    })
    if (face === undefined) return null
    const outcomes = await match(scope, capture.deviceId, capture.capturedAt, face)
    return { outcomes, modelId: face.modelId, template: await sealed(scope, capture.id, face.template), comparedAt: clock.now() }
  }

  async function attachTo(scope: Scope, capture: data.StoredCapture, picture: Uint8Array): Promise<void> {
    const made = capture.comparedAt === null ? await compared(scope, capture, picture) : null
    const fileId = await storage.writeCapture(scope, picture)
    // A permanent refusal: after a temporary fault the camera would send it again for ever.
    if (fileId === null) refuse(200205, 'file')
    const isAttached = await platform.transaction(async (tx) => {
      if (!(await data.addPicture(scope, tx, capture.id, fileId, made))) return false
      await storage.keepCapture(tx, scope, fileId)
      if (made !== null) {
        await announceTemplates(platform.events, tx, scope, [capture.id])
        const { deviceId, deviceName, deviceType, capturedAt, receivedAt } = capture
        const row = { id: capture.id, deviceId, deviceName, deviceType, capturedAt, receivedAt }
        await store.match(tx, scope, [{ row, outcomes: made.outcomes }])
      }
      for (const companion of platform.extensions.all(captureCompanions)) await companion.pictured?.(tx, scope, capture.id)
      return true
    })
    // Of two sent at once, the second is not needed; and nothing is kept of a capture that was deleted meanwhile.
    if (!isAttached) await storage.discardCapture(fileId)
  }

  /** Return a capture made of a face of a posted picture. */
  async function prepare(
    scope: Scope,
    camera: Camera,
    { id, face, fileId }: WrittenFace,
    at: number,
    now: number,
  ): Promise<PreparedCapture> {
    return {
      outcomes: await match(scope, camera.id, at, face),
      row: {
        id,
        deviceId: camera.id,
        deviceName: camera.name,
        deviceType: camera.type,
        enteredAt: at,
        capturedAt: at,
        leftAt: at,
        receivedAt: now,
        quality: face.quality,
        faceWidth: face.width,
        modelId: face.modelId,
        template: await sealed(scope, id, face.template),
        fileId,
        comparedAt: now,
      },
    }
  }

  return {
    async attach(device, { epoch, seq }, picture) {
      const scope = { parkId: device.parkId }
      const camera = await cameraOf(needs, scope, device.deviceId)
      const capture = await data.findCaptureOfDevice(scope, db, camera.id, recordId(camera.id, epoch, seq))
      if (capture === undefined) throw new NotFound()
      if (capture.fileId === null) await attachTo(scope, capture, picture)
    },
    async post(device, { eventId, occurredAt }, picture) {
      if (!isStorableText(eventId)) throw new InvalidRequest([{ path: 'eventId', rule: 'text' }])
      const scope = { parkId: device.parkId }
      const camera = await cameraOf(needs, scope, device.deviceId)
      const before = await data.findPosted(scope, db, camera.id, eventId)
      if (before !== undefined) return before
      const found = (await facesIn(picture, camera.id)).filter(({ width }) => width >= FACE_WIDTH_MIN).slice(0, FACES_MAX)
      const now = clock.now()
      // Nothing says how wrong the clock of such a camera is; only that nothing was captured later than now.
      const at = Math.min(now, occurredAt ?? now)
      const written: WrittenFace[] = []
      for (const [index, face] of found.entries()) {
        const fileId = await storage.writeCapture(scope, await face.cutOut())
        if (fileId === null) refuse(200205, 'file')
        written.push({ id: uuidV5(RECORD_NAMESPACE, `${camera.id}/posted/${eventId}/${index}`), face, fileId })
      }
      const prepared = await Promise.all(written.map((one) => prepare(scope, camera, one, at, now)))
      const isFirst = await platform.transaction(async (tx) => {
        if (!(await data.insertPosted(scope, tx, { deviceId: camera.id, eventId, captures: prepared.length }, now))) return false
        for (const { fileId } of written) await storage.keepCapture(tx, scope, fileId)
        await store.add(tx, scope, prepared)
        return true
      })
      if (isFirst) return prepared.length
      for (const { fileId } of written) await storage.discardCapture(fileId)
      return (await data.findPosted(scope, db, camera.id, eventId)) ?? 0
    },
  }
}
