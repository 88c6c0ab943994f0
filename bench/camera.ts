/**
 * Measures a capture camera: the processor time that it takes to follow 25 pictures a second of 640 × 360 with people walking by, how many
 * of them are captured, and how soon. Reading the stream is ffmpeg's work and is measured by itself.
 */
import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openPhotographs } from '@gatehouse/dev-env/photographs'
import { ffmpegMissing } from '@gatehouse/dev-env/rtsp-films'
import { filmOf, walkers } from '@gatehouse/dev-env/walking-faces'
import { hasTestingModels, testingModelDir } from '@gatehouse/face-engine/onnx/testing/set'
import type { CameraRun } from './camera-run.ts'
import { median, type BenchResult } from './result.ts'

const HALF_A_CORE = { ratioTo: 'half a core', goal: 1 }

export async function run(): Promise<BenchResult[]> {
  const results = await reading()
  const folder = hasTestingModels ? testingModelDir() : null
  try {
    if (folder !== null) results.push(...figuresOf('B', await followed(folder)))
    // The built-in engine keeps no such promise: what it takes is said.
    results.push(...figuresOf('A', await followed(undefined)).map(({ goal: _, ...result }) => result))
  } finally {
    if (folder !== null) await rm(folder, { recursive: true })
  }
  return results
}

async function followed(folder: string | undefined): Promise<CameraRun> {
  const child = fork(new URL('./camera-run.ts', import.meta.url), folder === undefined ? [] : [folder])
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the camera's process ended with ${String(code)} before it told what it measured`)
  })
  const [answer] = (await Promise.race([once(child, 'message'), ended])) as [CameraRun]
  ended.catch(() => undefined)
  return answer
}

function figuresOf(engine: string, { people, captures, right, processorShare, delays, everyNth }: CameraRun): BenchResult[] {
  const name = (figure: string) => `${engine}, 25 pictures/s of 640 × 360: ${figure}`
  return [
    { name: name('processor'), value: processorShare * 100, unit: '% of a core', ratio: processorShare / 0.5, ...HALF_A_CORE },
    { name: name('captures'), value: captures, unit: '', ratio: captures / people, ratioTo: 'people who walked by', goal: 1 },
    { name: name('people not captured'), value: people - right, unit: '', goal: 0 },
    { name: name('from view to capture'), value: median(delays), unit: 'ms', goal: 1_000 },
    { name: name('searched is one of'), value: everyNth, unit: 'pictures' },
  ]
}

/** Let ffmpeg read a film as it reads a camera, and note its processor time. */
async function reading(): Promise<BenchResult[]> {
  if (ffmpegMissing !== null) {
    process.stderr.write(`${ffmpegMissing}: reading a camera is not measured.\n`)
    return []
  }
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-film-'))
  try {
    const film = join(folder, 'film.ts')
    const photos = await Promise.all(
      openPhotographs()
        .people.slice(0, 6)
        .map((person) => person.photo(1)),
    )
    await filmOf(walkers(photos), film)
    const words = ['-nostdin', '-benchmark', '-threads', '1', '-i', film, '-vf', 'fps=25', '-c:v', 'mjpeg', '-q:v', '3', '-f', 'null', '-']
    const { stderr } = await promisify(execFile)('ffmpeg', words)
    const seconds = (field: string) => Number(new RegExp(`${field}=([\\d.]+)s`).exec(stderr)?.[1])
    const [, hours, minutes, rest] = /Duration: (\d+):(\d+):([\d.]+)/.exec(stderr) ?? []
    const share = (seconds('utime') + seconds('stime')) / (Number(hours) * 3_600 + Number(minutes) * 60 + Number(rest))
    return [
      {
        name: 'ffmpeg, reading that camera: processor',
        value: share * 100,
        unit: '% of a core',
        ratio: share / 0.5,
        ratioTo: 'half a core',
      },
    ]
  } finally {
    await rm(folder, { recursive: true })
  }
}
