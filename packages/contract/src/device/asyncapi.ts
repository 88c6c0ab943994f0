/**
 * AsyncAPI 3.0 document of the MQTT part of the device protocol, generated from its schemas and topics, from the device's point of view: it
 * sends `up` and receives `down`. The HTTP part is in OpenAPI.
 */
import { z } from 'zod'
import { PROTOCOL_VERSION, deviceTopics } from './protocol.ts'
import { acknowledgedMessage, recordsMessage } from './protocol-records.ts'
import { answerMessage, commandMessage } from './protocol-commands.ts'
import { changedMessage, statusMessage } from './protocol-status.ts'

type Json = Record<string, unknown>
type Topic = keyof ReturnType<typeof deviceTopics>

interface Message {
  schema: z.ZodType
  action: 'send' | 'receive'
  title: string
  summary: string
  /** Lowest quality of service with which a device publishes or subscribes. */
  qos: 0 | 1
  retain?: boolean
  /** Field that correlates a message and its answer. */
  correlation?: string
  /** Topic of the answer. */
  reply?: Topic
}

const MESSAGES: Record<Topic, Message> = {
  status: {
    schema: statusMessage,
    action: 'send',
    title: 'Status',
    summary:
      'First message after connecting, again whenever what is held changes. The last will is the same topic with `{"online":false}`.',
    qos: 1,
    retain: true,
  },
  records: {
    schema: recordsMessage,
    action: 'send',
    title: 'Records',
    summary: 'Passages of one epoch in the order of their numbers. Done when `acknowledged` says so, not when the broker does.',
    qos: 1,
  },
  answer: {
    schema: answerMessage,
    action: 'send',
    title: 'Answer to a command',
    summary: 'What came of a command; a command that comes again is answered again.',
    qos: 1,
    correlation: 'id',
  },
  acknowledged: {
    schema: acknowledgedMessage,
    action: 'receive',
    title: 'Acknowledgement',
    summary: 'All numbers of the epoch up to `ackSeq` are stored.',
    qos: 1,
  },
  changed: {
    schema: changedMessage,
    action: 'receive',
    title: 'Change',
    summary: 'What the device should come to; it pulls over HTTP what it lacks.',
    qos: 1,
  },
  command: {
    schema: commandMessage,
    action: 'receive',
    title: 'Command',
    summary: 'Something to do now. An unknown name is answered with errorType 4.',
    qos: 1,
    correlation: 'id',
    reply: 'answer',
  },
}

/** Return the schema as a sender uses it, in the draft on which AsyncAPI is based: a receiver ignores fields it does not know. */
function schemaOf(schema: z.ZodType): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', target: 'draft-7' }) as Json
  return json
}

const each = (make: (name: Topic, message: Message) => Json): Json =>
  Object.fromEntries(Object.entries(MESSAGES).map(([name, message]) => [name, make(name as Topic, message)]))

const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** Return the AsyncAPI 3.0 document, without undefined members, so that it equals its JSON. */
export function asyncApi(): Json {
  const topics = deviceTopics('{code}')
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Gatehouse device protocol',
      version: `${PROTOCOL_VERSION}.0.0`,
      description:
        'Short messages between a terminal and the server, over MQTT 3.1.1. Bulk goes over HTTP: see the calls under ' +
        '/deviceService/uface/v1 in /openapi.json. Final: only optional fields and names of commands are added. In words: ' +
        'docs/protocol/README.md.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    servers: {
      broker: {
        host: '{host}:{port}',
        protocol: 'mqtt',
        protocolVersion: '3.1.1',
        description: 'Address, account and password come with the answer of POST /deviceService/uface/v1/pair.',
        variables: {
          host: { description: 'Host of the broker, or of the server.' },
          port: { default: '1883', description: 'Port of the broker.' },
        },
        security: [{ $ref: '#/components/securitySchemes/paired' }],
        bindings: {
          mqtt: {
            cleanSession: true,
            keepAlive: 10,
            lastWill: { topic: topics.status, qos: 1, message: JSON.stringify({ online: false }), retain: true },
            bindingVersion: '0.2.0',
          },
        },
      },
    },
    channels: each((name, { title }) => ({
      address: topics[name],
      title,
      parameters: { code: { $ref: '#/components/parameters/code' } },
      messages: { [name]: { $ref: `#/components/messages/${name}` } },
    })),
    operations: Object.fromEntries(
      Object.entries(MESSAGES).map(([name, { action, summary, qos, retain = false, reply }]) => [
        action + capitalised(name),
        {
          action,
          channel: { $ref: `#/channels/${name}` },
          summary,
          messages: [{ $ref: `#/channels/${name}/messages/${name}` }],
          ...(reply !== undefined && {
            reply: { channel: { $ref: `#/channels/${reply}` }, messages: [{ $ref: `#/channels/${reply}/messages/${reply}` }] },
          }),
          bindings: { mqtt: { qos, ...(action === 'send' && { retain }), bindingVersion: '0.2.0' } },
        },
      ]),
    ),
    components: {
      messages: each((name, { title, summary, correlation }) => ({
        name,
        title,
        summary,
        contentType: 'application/json',
        ...(correlation !== undefined && { correlationId: { location: `$message.payload#/${correlation}` } }),
        payload: { $ref: `#/components/schemas/${name}` },
      })),
      schemas: each((_, { schema }) => schemaOf(schema)),
      parameters: { code: { description: 'The code the device is registered under: letters, digits, `_` and `-`, at most 64.' } },
      securitySchemes: { paired: { type: 'userPassword', description: 'Account and password of the answer of pairing.' } },
    },
  }
}
