/** A printer that answers as RFC 8011 documents, and wrongly where a test wants that. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { operation } from '../ipp/printer.ts'
import { decodeMessage, encodeMessage, groupTag, type ReadMessage, type SentAttribute } from '../ipp/message.ts'

const status = { ok: 0x0000, notFound: 0x0406, notPossible: 0x0404, noFormat: 0x040a, busy: 0x0507 } as const
const jobState = { processing: 5, stopped: 6, cancelled: 7, aborted: 8, completed: 9 } as const

export interface PrintedJob {
  number: number
  name: string
  document: Buffer
  state: number
}

export interface IppServer {
  address: string
  port: number
  /** Jobs it received, the oldest first. */
  jobs: PrintedJob[]
  /** Number of requests it received. */
  requests: number
  /** How it answers; may be changed at any time. */
  behaviour: {
    /** State that a received job gets, and stays in. */
    job: keyof typeof jobState
    reasons: string[]
    formats: string[]
    busy: boolean
    /** Instead of an answer of the protocol. */
    wrong: 'none' | 'html' | 'garbage' | 'foreignRequest' | 'redirect' | 'endless' | 'silent' | 'unauthorised'
  }
  stop(): Promise<void>
}

export async function startIppServer({ port = 0 }: { port?: number } = {}): Promise<IppServer> {
  const jobs: PrintedJob[] = []
  const behaviour: IppServer['behaviour'] = {
    job: 'completed',
    reasons: ['none'],
    formats: ['application/pdf', 'image/jpeg'],
    busy: false,
    wrong: 'none',
  }
  let requests = 0

  const answerOf = (request: ReadMessage, code: number, group?: { tag: 0x02 | 0x04; attributes: SentAttribute[] }): Buffer =>
    encodeMessage({
      operation: code,
      requestId: behaviour.wrong === 'foreignRequest' ? request.requestId + 1 : request.requestId,
      groups: [
        {
          tag: groupTag.operation,
          attributes: [
            ['charset', 'attributes-charset', 'utf-8'],
            ['language', 'attributes-natural-language', 'en'],
          ],
        },
        ...(group === undefined ? [] : [group]),
      ],
    })
  const jobAnswer = (request: ReadMessage, { number, state }: PrintedJob): Buffer =>
    answerOf(request, status.ok, {
      tag: groupTag.job,
      attributes: [
        ['integer', 'job-id', number],
        ['enum', 'job-state', state],
        ['keyword', 'job-state-reasons', 'none'],
      ],
    })

  function answer(request: ReadMessage, document: Buffer): Buffer {
    const sent = (name: string) => request.attributes.get(groupTag.operation)?.get(name)?.[0]
    if (behaviour.busy) return answerOf(request, status.busy)
    // The operation stands where an answer has its status.
    if (request.status === operation.getPrinterAttributes)
      return answerOf(request, status.ok, {
        tag: groupTag.printer,
        attributes: [
          ['enum', 'printer-state', behaviour.reasons[0] === 'none' ? 3 : 5],
          ['keyword', 'printer-state-reasons', ...behaviour.reasons],
          ['name', 'printer-make-and-model', 'Test Labeller 1'],
          ['mime', 'document-format-supported', ...behaviour.formats],
        ],
      })
    if (request.status === operation.printJob) {
      if (!behaviour.formats.includes(String(sent('document-format')))) return answerOf(request, status.noFormat)
      const job = { number: jobs.length + 1, name: String(sent('job-name')), document, state: jobState[behaviour.job] }
      jobs.push(job)
      return jobAnswer(request, job)
    }
    const job = jobs.find(({ number }) => number === sent('job-id'))
    if (job === undefined) return answerOf(request, status.notFound)
    if (request.status !== operation.cancelJob) {
      job.state = job.state === jobState.cancelled ? job.state : jobState[behaviour.job]
      return jobAnswer(request, job)
    }
    if (job.state >= jobState.cancelled) return answerOf(request, status.notPossible)
    job.state = jobState.cancelled
    return answerOf(request, status.ok)
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    requests++
    const chunks: Buffer[] = []
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const send = (code: number, type: string, bytes: Buffer | string): void =>
      void response.writeHead(code, { 'Content-Type': type }).end(bytes)
    if (behaviour.wrong === 'silent') return
    if (behaviour.wrong === 'html') return send(200, 'text/html', '<p>It works</p>')
    if (behaviour.wrong === 'garbage') return send(200, 'application/ipp', Buffer.from([1, 1, 0, 0, 0, 0, 0, 1, 1, 0x47, 0, 200]))
    if (behaviour.wrong === 'endless') return send(200, 'application/ipp', Buffer.alloc(300 * 1024, 1))
    if (behaviour.wrong === 'unauthorised') return send(401, 'text/plain', 'no')
    if (behaviour.wrong === 'redirect') return void response.writeHead(302, { Location: '/elsewhere' }).end()
    send(200, 'application/ipp', answer(decodeMessage(body), body.subarray(body.indexOf('%PDF'))))
  }

  const server: Server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()))
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  const listening = (server.address() as AddressInfo).port
  return {
    address: `ipp://127.0.0.1:${listening}/ipp/print`,
    port: listening,
    jobs,
    get requests() {
      return requests
    },
    behaviour,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}
