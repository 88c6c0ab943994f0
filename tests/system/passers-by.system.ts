/**
 * Thirty people walk by before a capture camera, and a task looks out for ten of them: with the real engine, the real program and a
 * stream over RTSP. Each is captured once, the ten are recognised and shown to the guard, and nobody is taken for another one. How the
 * camera goes through cuts of the network and of the power stands in `surveillance.system.ts`.
 */
import { rm } from 'node:fs/promises'
import { openPhotographs } from '@gatehouse/dev-env/photographs'
import { ffmpegMissing } from '@gatehouse/dev-env/rtsp-films'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { engineOf, FacePool } from '@gatehouse/face-engine'
import { hasTestingModels, testingModelDir } from '@gatehouse/face-engine/onnx/testing/set'
import { afterAll, describe, expect, test } from 'vitest'
import { showPassersBy } from '../support/passers-by.ts'

const missing =
  ffmpegMissing ??
  (openPhotographs().kind === 'drawn' ? 'the photographs of real people are not there' : null) ??
  // The built-in engine does not tell thirty people apart so surely.
  (hasTestingModels ? null : 'the ONNX models are not there')
if (missing !== null) console.warn(`Skipped: ${missing}`)

let world: World | undefined
let pool: FacePool | undefined
let models: string | undefined
afterAll(async () => {
  await world?.stop()
  await pool?.close()
  if (models !== undefined) await rm(models, { recursive: true })
})

describe.skipIf(missing !== null)('a capture camera that thirty people walk by', () => {
  test('captures each of them once, and shows the ten who are looked out for, and nobody else', async () => {
    models = testingModelDir()
    pool = new FacePool({ engine: await engineOf(models), workers: 1 })
    world = await startWorld({ facePool: pool })
    const { fromView: _, fromPicture, ...outcome } = await showPassersBy(world, { models, isAtPace: true })
    const { seen, matched, mixedUp, missed } = outcome
    // How soon they are shown depends on the machine: `npm run bench -- bubbles` holds it against a limit.
    console.log(
      `Seen ${seen}, matched ${matched}, mixed up ${mixedUp.length}, missed ${missed.length}; from the captured picture to the bubble ` +
        `${(fromPicture.p50 / 1_000).toFixed(2)} s, p95 ${(fromPicture.p95 / 1_000).toFixed(2)} s.`,
    )
    expect(outcome).toEqual({
      walked: 30,
      sought: 10,
      seen: 30,
      unseen: [],
      twice: [],
      matched: 10,
      mixedUp: [],
      missed: [],
      alarms: 10,
    })
  })
})
