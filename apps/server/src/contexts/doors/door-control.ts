/** Remote control of a door, as the gateway carries it out. */
export interface DoorControl {
  /**
   * @param operateType 1 open, 2 normally open, 3 close
   * @returns errorType 0 if the device did not answer in time, 1 if the connection was lost meanwhile, 2 to 4 as the device reports
   */
  control(device: { id: string; code: string }, operateType: number): Promise<DoorAnswer>
}

/** Outcome of an operation; `errorType` is null if it succeeded. */
export interface DoorAnswer {
  isSuccess: boolean
  errorType: number | null
}
