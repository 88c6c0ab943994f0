/** Templates of the faces sent with persons: those received, and those made from photographs if the server has none of the model. */
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import type { PersonObject } from '@gatehouse/contract/device/protocol-persons'
import { failsOnThis, type ServerClient } from './server.ts'
import type { PersonFailure, TakenPerson } from './store.ts'

/**
 * Make a template from a photograph.
 * @returns base64 of little-endian float32; null if the photograph is unusable
 * @throws when none can be made at present
 */
export type Embed = (photo: Uint8Array) => Promise<string | null>

export interface FaceTemplates {
  /** Return the received templates that are of the device's model. */
  sent(faces: PersonObject['faces']): TakenPerson['faces']
  /** Return whether a template is to be made for a person, or for one of their contacts. */
  areMissing(person: PersonObject): boolean
  /**
   * Return the received templates, and those made from the photographs of the other faces.
   * @returns `failure`: why one is missing, if one is
   * @throws ServerAway if the server is away before a photograph arrived
   */
  complete(faces: PersonObject['faces'], signal: AbortSignal): Promise<{ faces: TakenPerson['faces']; failure: PersonFailure }>
}

export interface FaceTemplatesOptions {
  client: ServerClient
  modelId: string
  log: (sentence: string) => void
  embed?: Embed | undefined
}

/** Faces of a person: their own, and those of each contact. */
const facesOf = ({ faces, contacts = [] }: PersonObject): PersonObject['faces'][] => [faces, ...contacts.map((contact) => contact.faces)]

export function createFaceTemplates({ client, modelId, log, embed }: FaceTemplatesOptions): FaceTemplates {
  function templatesSent(faces: PersonObject['faces']): TakenPerson['faces'] {
    return faces.flatMap(({ faceId, modelId: of, template }) => (of === modelId && template !== null ? [{ faceId, template }] : []))
  }

  async function photographed(faceId: string, signal: AbortSignal): Promise<{ template: string } | { failure: PersonFailure }> {
    let photo: Uint8Array
    try {
      photo = await client.download(deviceProtocolCalls.photo, { params: { id: faceId } }, { signal, timeout: 60_000 })
    } catch (error) {
      if (failsOnThis(error)) return { failure: 'notDelivered' }
      throw error
    }
    try {
      const template = await embed!(photo)
      return template === null ? { failure: 'photoRefused' } : { template }
    } catch (error) {
      // The photograph is not at fault: it is tried again with the others that did not arrive.
      log(`No template could be made of the photograph of face ${faceId}: ${error instanceof Error ? error.message : String(error)}`)
      return { failure: 'notDelivered' }
    }
  }

  return {
    sent: templatesSent,
    areMissing: (person) => embed !== undefined && facesOf(person).some((faces) => templatesSent(faces).length < faces.length),
    async complete(all, signal) {
      const faces = [...templatesSent(all)]
      const sent = new Set(faces.map(({ faceId }) => faceId))
      let failure: PersonFailure = 'notDelivered'
      for (const { faceId } of all.filter((face) => !sent.has(face.faceId))) {
        const outcome = await photographed(faceId, signal)
        if ('template' in outcome) faces.push({ faceId, template: outcome.template })
        else failure = outcome.failure
      }
      return { faces, failure }
    },
  }
}
