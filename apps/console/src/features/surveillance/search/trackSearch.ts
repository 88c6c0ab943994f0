/** What the track view shows the way of: a face, a window, and the reason that the log of reads keeps. */
export interface TrackSearch {
  faceId?: string
  personId?: string
  captureId?: string
  startTime: number
  endTime: number
  deviceIds?: string[]
  minScore?: number
  reason: string
}
