/** Address of a camera, as given at the start. */

/** The camera named at the start cannot be used; the message says why, without its password. */
export class CameraUnusable extends Error {
  override readonly name = 'CameraUnusable'
}

export interface CameraAddress {
  /** The address as it is passed to ffmpeg. */
  url: string
  /** The address for the public: without account, path and query, any of which may contain a password. */
  shown: string
}

const SCHEMES = ['rtsp:', 'rtsps:', 'http:', 'https:']

/** Parse the address of a camera. @throws CameraUnusable if it is none */
export function cameraAddress(text: string): CameraAddress {
  if (!URL.canParse(text)) throw new CameraUnusable('--camera is no address; it looks like rtsp://user:password@192.168.1.40:554/stream.')
  const url = new URL(text)
  const { protocol, host, href } = url
  if (!SCHEMES.includes(protocol)) throw new CameraUnusable(`--camera takes rtsp, rtsps, http and https, not ${protocol.slice(0, -1)}.`)
  if (host === '') throw new CameraUnusable(`--camera names no host after ${protocol}//.`)
  return { url: href, shown: `${protocol}//${host}` }
}

/** Whether an address carries a password. */
export const hasPassword = (text: string): boolean => URL.canParse(text) && new URL(text).password !== ''
