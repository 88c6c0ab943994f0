/** A capture camera as a program of its own, started as a user does. */
import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import type { MadeDevice } from '@gatehouse/dev-env/world'
import type { CaptureCameraState } from '@gatehouse/terminal/capture/options'

export interface CaptureCameraProgram {
  child: ChildProcess
  state(): Promise<CaptureCameraState>
}

export interface CaptureCameraSetup {
  /** Address of the server. */
  server: string
  device: MadeDevice
  /** Address of the camera that is looked through. */
  camera: string
  /** Data folder. */
  folder: string
  /** Folder of ONNX models; null: the built-in engine. */
  models: string | null
}

/** Pictures that may be shown between two that are searched: people walk less far than their faces are wide. */
const STEPS = 6
/** Most milliseconds for which a picture stands still. */
const PATIENCE = 60_000

/** Start it and wait until it shows its page. Whoever starts it ends it. @throws Error when it ends before */
export async function startCaptureCameraProgram(setup: CaptureCameraSetup): Promise<CaptureCameraProgram> {
  const { server, device, camera, folder, models } = setup
  const program = join(import.meta.dirname, '../../apps/terminal/src/main.ts')
  const options = { '--role': 'camera', '--server': server, '--code': device.code, '--data': folder, '--port': '0', '--camera': camera }
  const words = [
    '--disable-warning=ExperimentalWarning',
    program,
    ...Object.entries(options).flat(),
    ...(models ? ['--models', models] : []),
  ]
  const child = spawn(process.execPath, words, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, GATEHOUSE_SECRET: device.secret },
  })
  const started = Promise.withResolvers<string>()
  child.once('exit', (code) => started.reject(new Error(`the camera ended with ${String(code)}`)))
  createInterface(child.stdout).on('line', (line) => {
    const url = /shows its page at (\S+)$/.exec(line)?.[1]
    if (url !== undefined) started.resolve(url)
  })
  const url = await started.promise
  return { child, state: async () => (await (await fetch(`${url}state`)).json()) as CaptureCameraState }
}

/**
 * Yield the pictures of a film as slowly as a camera needs: people go on when it has searched a picture since their last steps, or it could
 * take one for another.
 */
export async function* atPaceOf({ state }: CaptureCameraProgram, pictures: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  let { searched } = (await state()).stream
  for (const [index, picture] of pictures.entries()) {
    yield picture
    if (index % STEPS > 0) continue
    const since = Date.now()
    while ((await state()).stream.searched === searched && Date.now() - since < PATIENCE) yield picture
    searched = (await state()).stream.searched
  }
}
