import { expect, onTestFinished, test, vi } from 'vitest'
import { scratchFolder } from '../device/testing/folder.ts'
import { CameraUnusable, startTerminal } from '../terminal.ts'
import { cameraAddress } from './address.ts'

test('an address of a camera is shown without account, path and query', () => {
  expect(cameraAddress('rtsp://admin:s3cret@192.168.1.40:554/stream?token=s3cret')).toEqual({
    url: 'rtsp://admin:s3cret@192.168.1.40:554/stream?token=s3cret',
    shown: 'rtsp://192.168.1.40:554',
  })
  for (const scheme of ['rtsps', 'http', 'https'])
    expect(cameraAddress(`${scheme}://camera.example/live`).shown).toBe(`${scheme}://camera.example`)
})

test('what is no camera is refused in a sentence that repeats no password', () => {
  const sentence = (text: string) => {
    try {
      return cameraAddress(text).shown
    } catch (error) {
      expect(error).toBeInstanceOf(CameraUnusable)
      return (error as Error).message
    }
  }
  for (const text of ['file:///etc/passwd', 'concat:a|b', 'udp://239.0.0.1:5000', 'lavfi:testsrc', 'rtmp://u:s3cret@host/x'])
    expect(sentence(text)).toMatch(/^--camera takes rtsp, rtsps, http and https, not \w+\.$/)
  for (const text of ['/dev/video0', 'admin:s3cret@192.168.1.40', '', 'rtsp://u:s3#cret@host/x'])
    expect(sentence(text)).toMatch(/^--camera (is no address|takes rtsp).*[^3]$/)
  expect(sentence('rtsp:///stream')).toBe('--camera names no host after rtsp://.')
})

test('a terminal with a camera does not start without ffmpeg, and names the package', async () => {
  vi.stubEnv('PATH', scratchFolder())
  onTestFinished(() => void vi.unstubAllEnvs())
  const starting = startTerminal({
    server: 'http://127.0.0.1:9',
    code: 'X',
    secret: 'Y',
    dataDir: scratchFolder(),
    port: 0,
    camera: 'rtsp://u:s3cret@127.0.0.1:9/stream',
  })
  await expect(starting).rejects.toThrow(CameraUnusable)
  await expect(starting).rejects.toThrow(
    '--camera needs the program ffmpeg, which does not start here; install it (Debian: apt-get install ffmpeg).',
  )
})
