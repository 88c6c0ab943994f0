/** /refresh: opens the previous page again. */
import { useEffect } from 'react'
import { useNavigate } from 'react-router'

export default function RefreshPage() {
  const navigate = useNavigate()
  useEffect(() => void navigate(-1), [navigate])
  return null
}
