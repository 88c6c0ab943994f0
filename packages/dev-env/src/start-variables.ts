/** The environment variables of `npm start`: those of the server, and of what runs beside it. */
import { portNumber } from '@gatehouse/server/environment'
import { serverVariables } from '@gatehouse/server/variables'

export const startVariables = {
  ...serverVariables,
  TERMINAL_PORT: portNumber().default(8081).describe('Port of the terminal.'),
}
