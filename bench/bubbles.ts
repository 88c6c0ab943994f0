/**
 * Measures how soon after a face before a capture camera the guard is shown its bubble: thirty people walk by over RTSP, a monitoring task
 * looks out for ten of them. Camera, server and both programs of ffmpeg share the machine.
 */
import { rm } from 'node:fs/promises'
import { openPhotographs } from '@gatehouse/dev-env/photographs'
import { ffmpegMissing } from '@gatehouse/dev-env/rtsp-films'
import { startWorld } from '@gatehouse/dev-env/world'
import { engineOf, FacePool } from '@gatehouse/face-engine'
import { hasTestingModels, testingModelDir } from '@gatehouse/face-engine/onnx/testing/set'
import { showPassersBy } from '../tests/support/passers-by.ts'
import type { BenchResult } from './result.ts'

const GOAL_MS = 1_500

export async function run(): Promise<BenchResult[]> {
  const missing = ffmpegMissing ?? (hasTestingModels && openPhotographs().kind === 'real' ? null : 'Models or photographs are not there')
  if (missing !== null) {
    process.stderr.write(`${missing}: bubbles are not measured.\n`)
    return []
  }
  const models = testingModelDir()
  const pool = new FacePool({ engine: await engineOf(models), workers: 1 })
  const world = await startWorld({ facePool: pool })
  try {
    const { walked, seen, twice, mixedUp, missed, fromPicture, fromView } = await showPassersBy(world, { models, isAtPace: false })
    return [
      { name: 'people captured', value: seen, unit: '', ratio: seen / walked, ratioTo: 'people who walked by' },
      { name: 'captures beyond the first of somebody', value: twice.length, unit: '', goal: 0 },
      { name: 'people looked out for and not recognised', value: missed.length, unit: '', goal: 0 },
      { name: 'people taken for another one', value: mixedUp.length, unit: '', goal: 0 },
      { name: 'from the captured picture to the bubble, p50', value: fromPicture.p50, unit: 'ms' },
      { name: 'from the captured picture to the bubble, p95', value: fromPicture.p95, unit: 'ms', goal: GOAL_MS },
      { name: 'from coming into view to the bubble, p50', value: fromView.p50, unit: 'ms' },
      { name: 'from coming into view to the bubble, p95', value: fromView.p95, unit: 'ms' },
    ]
  } finally {
    await world.stop()
    await pool.close()
    await rm(models, { recursive: true })
  }
}
