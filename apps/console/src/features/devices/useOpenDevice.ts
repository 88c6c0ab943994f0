/** Goes to the page of a device; from the page of one, that page is asked to read everything again. */
import { useNavigate, useMatch } from 'react-router'
import { addresses, path } from '../../paths.ts'

/** `refresh=1`: read again, whatever is known. */
export const REFRESH = 'refresh'

export function useOpenDevice(): (deviceId: string) => void {
  const navigate = useNavigate()
  const isThere = useMatch(addresses.deviceDetails.replace('{deviceId}', ':deviceId')) !== null
  return (deviceId) => void navigate(path('deviceDetails', { deviceId }) + (isThere ? `?${REFRESH}=1` : ''))
}
