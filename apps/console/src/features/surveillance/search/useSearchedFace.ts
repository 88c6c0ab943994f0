/** The picture of the face that is searched for, and what it is of. */
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { captureCalls } from '@gatehouse/contract/surveillance/captures'
import { useRead } from '../../../api/query.ts'
import { useMayCall } from '../../../api/session.ts'
import type { FaceSearch } from './useFaceSearch.ts'

/** Milliseconds around a capture within which it is looked up by its time. */
const AROUND = 1

export interface SearchedFace {
  /** Signed address; undefined: there is none, or this user may not see it. */
  picture: string | undefined
  /** Whether the picture is still being looked up. */
  isPending: boolean
  /** The person who is searched for, where this user may see persons. */
  person: { id: string; name: string } | undefined
}

export function useSearchedFace({ photo, settings: { personId, captureId, captureTime = 0 } }: FaceSearch): SearchedFace {
  const reads = { person: useMayCall(peopleCalls.read), capture: useMayCall(captureCalls.find) }
  const isCapture = reads.capture && captureId !== undefined && captureTime > 0
  const isPerson = reads.person && captureId === undefined && personId !== undefined
  const person = useRead(peopleCalls.read, { query: { id: personId ?? '' } }, { enabled: isPerson })
  const captures = useRead(
    captureCalls.find,
    { body: { startTime: captureTime - AROUND, endTime: captureTime + AROUND } },
    { enabled: isCapture },
  )
  const capture = captures.data?.content.find((row) => row.captureId === captureId)
  if (captureId !== undefined)
    return {
      picture: (isCapture && (capture?.captureFaceImage || capture?.captureThumbnail)) || undefined,
      isPending: isCapture && captures.isPending,
      person: undefined,
    }
  if (personId !== undefined)
    return {
      picture: (isPerson && person.data?.faces[0]?.url) || undefined,
      isPending: isPerson && person.isPending,
      person: isPerson && person.data ? { id: personId, name: person.data.name } : undefined,
    }
  return { picture: photo?.url, isPending: false, person: undefined }
}
