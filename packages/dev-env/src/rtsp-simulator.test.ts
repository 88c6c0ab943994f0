import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { portraitVariant } from './portraits.ts'
import { ffmpegMissing } from './rtsp-films.ts'
import { startRtspSimulator, type RtspSimulator } from './rtsp-simulator.ts'
import { filmOf, walkers } from './walking-faces.ts'

const run = promisify(execFile)
if (ffmpegMissing !== null) console.warn(`Skipped: ${ffmpegMissing}`)

describe.skipIf(ffmpegMissing !== null)('simulated cameras', () => {
  let folder: string
  let file: string
  let simulator: RtspSimulator
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-film-'))
    file = join(folder, 'film.ts')
    await filmOf(walkers([await portraitVariant(1, 0), await portraitVariant(2, 0)], 800), file, { emptyAfter: 200 })
    simulator = await startRtspSimulator()
  })
  afterAll(async () => {
    await simulator?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const probe = (url: string) =>
    run('ffprobe', ['-v', 'error', '-rtsp_transport', 'tcp', '-show_entries', 'stream=codec_name,width,height', '-of', 'csv=p=0', url])
  const refusal = (url: string) => probe(url).catch((error: { stderr: string }) => error.stderr)

  test('send a film to everybody with the account, as often as it is pushed', async () => {
    const film = simulator.film('gate', file, { loops: true })
    const url = simulator.url('gate')
    await vi.waitUntil(async () => (await probe(url).catch(() => null)) !== null, { timeout: 60_000, interval: 200 })
    expect((await probe(url)).stdout.trim()).toBe('h264,640,360')
    // Longer than the film: it begins again.
    const pulls = [1, 2].map(() =>
      run('ffmpeg', ['-nostdin', '-v', 'error', '-rtsp_transport', 'tcp', '-i', url, '-frames:v', '60', '-f', 'framecrc', '-']),
    )
    await vi.waitUntil(() => simulator.viewers('gate') === 2, { timeout: 60_000 })
    for (const { stdout } of await Promise.all(pulls)) expect(stdout.split('\n').filter((line) => line.startsWith('0,'))).toHaveLength(60)
    expect(await refusal(url.replace(/:[^:@]+@/, ':wrong@'))).toContain('401')
    expect(await refusal(url.replace(/\/\/[^@]+@/, '//'))).toContain('401')
    await film.stop()
    await vi.waitUntil(() => simulator.viewers('gate') === 0, { timeout: 60_000 })
    expect(await refusal(url)).toContain('404')
  })

  test('a film that is pushed once ends, and whoever watches is cut off', async () => {
    const film = simulator.film('once', file)
    const url = simulator.url('once')
    const pull = await vi.waitUntil(
      () => run('ffmpeg', ['-nostdin', '-v', 'error', '-rtsp_transport', 'tcp', '-i', url, '-f', 'framecrc', '-']).catch(() => null),
      { timeout: 60_000, interval: 100 },
    )
    expect(pull!.stdout.split('\n').length).toBeGreaterThan(5)
    await film.ended
  })
})
