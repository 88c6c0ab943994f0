import { expect, test } from 'vitest'
import { faultOf } from './fault.ts'

test('what ffmpeg says of a camera is told in one word', () => {
  const messages = {
    account:
      '[rtsp @ 0x55] method DESCRIBE failed: 401 Unauthorized\nrtsp://camera/x: Server returned 401 Unauthorized (authorization failed)',
    path: '[rtsp @ 0x55] method DESCRIBE failed: 404 Not Found\nrtsp://camera/x: Server returned 404 Not Found',
    port: '[tcp @ 0x55] Connection to tcp://camera:554?timeout=0 failed: Connection refused\nrtsp://camera/x: Connection refused',
    address:
      '[tcp @ 0x55] Failed to resolve hostname camera.example: Name or service not known\nrtsp://camera.example/x: Input/output error',
    format: "Stream map '0:v:0' matches no streams.\nTo ignore this, add a trailing '?' to the map.",
    ended: '',
  }
  for (const [fault, message] of Object.entries(messages)) expect([message, faultOf(message)]).toEqual([message, fault])
})
