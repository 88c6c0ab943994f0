/** A time server for tests, on the loopback: real UDP, with a clock as wrong as the test requires. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

const EPOCH = 2_208_988_800

export interface TestTimeServer {
  port: number
  /** Number of requests so far. */
  asked: number
  /** Milliseconds its clock is ahead. */
  ahead: number
  /** 0: the server has no valid time. */
  stratum: number
  /** First send an answer to a different request. */
  forges: boolean
  stop(): void
}

export async function startTimeServer(): Promise<TestTimeServer> {
  const socket = createSocket('udp4')
  socket.on('message', (question, { port, address }) => {
    server.asked++
    const answer = Buffer.alloc(48)
    answer[0] = 0x24
    answer[1] = server.stratum
    question.copy(answer, 24, 40, 48)
    for (const place of [32, 40]) {
      const seconds = (Date.now() + server.ahead) / 1000 + EPOCH
      answer.writeUInt32BE(Math.floor(seconds) % 2 ** 32, place)
      answer.writeUInt32BE(Math.floor((seconds % 1) * 2 ** 32), place + 4)
    }
    if (server.forges) {
      const forged = Buffer.from(answer)
      forged.fill(0, 24, 44)
      socket.send(forged, port, address)
    }
    socket.send(answer, port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const server: TestTimeServer = { port: socket.address().port, asked: 0, ahead: 0, stratum: 2, forges: false, stop: () => socket.close() }
  return server
}
