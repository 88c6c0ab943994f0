/**
 * Captures of cameras that keep nobody who matches no task. They come with their picture and without a number, are compared in memory,
 * and are stored only where a task identifies the person; of all others nothing is left but a count.
 */
import type { numberedCalls } from '@gatehouse/contract/device/numbered'
import { RECORD_NAMESPACE } from '@gatehouse/contract/device/record-id'
import type { OutputOf } from '@gatehouse/contract'
import type { Platform } from '../../platform/context.ts'
import { uuidV5 } from '../../platform/database/ids.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import { refuse } from '../../platform/http/refusal.ts'
import type { DevicePrincipal, Scope } from '../../platform/session/session.ts'
import { cameraOf, clockCorrection } from './captures-camera.ts'
import * as data from './captures-keeping-data.ts'
import type { CaptureKeeping } from './captures-keeping.ts'
import type { CaptureFaces } from './captures-faces.ts'
import { CAPTURE_TEMPLATE } from './captures-schema.ts'
import { isIdentified, type CaptureStore } from './captures-store.ts'
import type { Camera, CaptureDependencies, PreparedCapture } from './captures-types.ts'
import type { ComparedFace, MatchFace } from './matching.ts'

export type PassingMessage = OutputOf<(typeof numberedCalls)['passingCapture']['body']>
export type LossMessage = OutputOf<(typeof numberedCalls)['lostCaptures']['body']>

export interface PassingCaptures {
  /** @throws NotFound where the device is no camera; Refusal as `CaptureFaces` */
  take(device: DevicePrincipal, message: PassingMessage): Promise<void>
  /** @throws NotFound where the device is no camera */
  lost(device: DevicePrincipal, message: LossMessage): Promise<void>
}

/** What is done of late, by name, in memory only: what is sent again is not done twice, and nothing of it is on a disk. */
export interface RecentlyDone {
  once<Outcome>(name: string, run: () => Promise<Outcome>): Promise<Outcome>
}

/** Milliseconds for which a name is remembered, and how many names at most. */
const REMEMBERED_MS = 10 * 60_000
const REMEMBERED_MAX = 10_000

export function createRecentlyDone({ clock }: Pick<Platform, 'clock'>): RecentlyDone {
  const done = new Map<string, { at: number; outcome: Promise<unknown> }>()
  return {
    once<Outcome>(name: string, run: () => Promise<Outcome>): Promise<Outcome> {
      for (const [before, { at }] of done) {
        if (done.size < REMEMBERED_MAX && clock.now() - at < REMEMBERED_MS) break
        done.delete(before)
      }
      const cached = done.get(name)
      if (cached !== undefined) return cached.outcome as Promise<Outcome>
      const outcome = run()
      done.set(name, { at: clock.now(), outcome })
      outcome.catch(() => done.delete(name))
      return outcome
    },
  }
}

interface PassingParts {
  store: Pick<CaptureStore, 'kept' | 'add'>
  match: MatchFace
  keeping: Pick<CaptureKeeping, 'of' | 'count'>
  captureFaces: CaptureFaces
  recent: RecentlyDone
}

export function createPassingCaptures(
  platform: Platform,
  needs: Pick<CaptureDependencies, 'devices' | 'faces'>,
  { store, match, keeping, captureFaces, recent }: PassingParts,
): PassingCaptures {
  const { clock, crypto, storage } = platform
  const { faces } = needs

  /** Return the face of a capture as the server compares it; null where nothing in its picture can be compared. */
  async function faceOf({ id }: Camera, { modelId, capture }: PassingMessage, picture: Uint8Array): Promise<ComparedFace | null> {
    const template = capture.template === null ? null : Buffer.from(capture.template, 'base64')
    if (template?.byteLength === faces.description.dimensions * 4 && modelId === faces.modelId) return { modelId, template }
    return captureFaces.foremost(picture, id)
  }

  async function takeOnce(scope: Scope, camera: Camera, message: PassingMessage): Promise<void> {
    const now = clock.now()
    const corrected = clockCorrection(now, message.sentAt)
    const { enteredAt, capturedAt, leftAt, quality, faceWidth } = message.capture
    const at = corrected(capturedAt)
    const picture = Buffer.from(message.picture, 'base64')
    const set = await keeping.of(scope, camera.id)
    const face = await faceOf(camera, message, picture)
    const outcomes = face === null ? null : await match(scope, camera.id, at, face)
    const isKept = set.keeping !== 'matchedOnly' || isIdentified(outcomes)
    // Nothing reaches the disk before it is certain that it is kept.
    const fileId = isKept ? await storage.writeCapture(scope, picture) : null
    if (isKept && fileId === null) refuse(200205, 'picture')
    const id = uuidV5(RECORD_NAMESPACE, `${camera.id}/passing/${message.id}`)
    const isStored = await platform.transaction(async (tx) => {
      const prepared: PreparedCapture[] = isKept
        ? [
            {
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
                modelId: face?.modelId ?? null,
                template: face === null ? null : await crypto.seal(scope.parkId, placeOf(CAPTURE_TEMPLATE, id), Buffer.from(face.template)),
                fileId,
                comparedAt: outcomes === null ? null : now,
              },
            },
          ]
        : []
      const kept = await store.kept(tx, scope, set, prepared)
      const added = await store.add(tx, scope, kept)
      if (added > 0) await storage.keepCapture(tx, scope, fileId!)
      // One that is stored already was sent again, and is counted.
      if (set.keeping === 'matchedOnly' && added === kept.length) await keeping.count(tx, scope, camera.id, { passed: 1, kept: added })
      return added > 0
    })
    if (fileId !== null && !isStored) await storage.discardCapture(fileId)
  }

  return {
    async take(device, message) {
      const scope = { parkId: device.parkId }
      const camera = await cameraOf(needs, scope, device.deviceId)
      await recent.once(`${camera.id}/passing/${message.id}`, () => takeOnce(scope, camera, message))
    },
    async lost(device, { id, sentAt, count, from, to }) {
      const scope = { parkId: device.parkId }
      const camera = await cameraOf(needs, scope, device.deviceId)
      const corrected = clockCorrection(clock.now(), sentAt)
      const [first, last] = [corrected(from), corrected(to)]
      await data.insertLoss(scope, platform.db, {
        id: uuidV5(RECORD_NAMESPACE, `${camera.id}/lost/${id}`),
        deviceId: camera.id,
        count,
        from: Math.min(first, last),
        to: last,
      })
    },
  }
}
