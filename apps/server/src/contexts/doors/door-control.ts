/** Remote control of a door, as the gateway carries it out. */
export interface DoorControl {
  /**
   * @param operateType 1 open, 2 normally open, 3 close
   * @returns errorType 0 when the device did not answer in time, 1 when it was lost meanwhile, 2 to 4 as it says
   */
  control(device: { id: string; code: string }, operateType: number): Promise<DoorAnswer>
}

/** What came of it; `errorType` null where it succeeded. */
export interface DoorAnswer {
  isSuccess: boolean
  errorType: number | null
}
