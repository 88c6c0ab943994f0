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
