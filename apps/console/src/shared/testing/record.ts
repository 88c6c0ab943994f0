/** Return a record of a person admitted at a door, received by the server the moment it happened. */
import type { AccessRecord } from '@gatehouse/contract/records/calls'

export const testingRecord = (id: string, time: number, more: Partial<AccessRecord> = {}): AccessRecord => ({
  id,
  time,
  receivedAt: time,
  personId: 'p1',
  personName: 'Lin Yi-Chun',
  workNumber: '',
  deviceId: 'd1',
  deviceName: 'Main gate',
  direction: 1,
  verifyType: 1,
  result: 1,
  failReason: null,
  failText: '',
  score: 92,
  temperature: null,
  temperatureStatus: null,
  mask: null,
  helmet: null,
  captureImage: '',
  captureThumbnail: '',
  registeredImage: '',
  pictureKeptUntil: null,
  corrected: false,
  ...more,
})
