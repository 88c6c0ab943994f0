/** Uploads a picture, whose address a body then takes. */
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PICTURE_BYTES, uploadCalls, type UploadUse } from '@gatehouse/contract/system/upload'
import { Refusal, sentenceOf, sentenceOfIssue } from '../../api/refusal.ts'
import { request } from '../../api/request.ts'
import { useUploads } from '../../api/uploads.ts'

const MEBIBYTE = 1_048_576
/** What a file field of a picture accepts. */
export const PICTURE_FILES = 'image/png,image/jpeg,image/webp'

interface PictureUpload {
  sending: boolean
  /** Why the last file was refused; empty where it was accepted. */
  failure: string
  /** Largest file, in MB. */
  megabytes: number
  take: (file: File) => void
}

/** @param onTaken called with the address; the picture is deleted after a day unless it is saved */
export function usePicture(use: UploadUse, onTaken: ((address: string) => void) | undefined): PictureUpload {
  const { t } = useTranslation()
  const [sending, setSending] = useState(false)
  const [failure, setFailure] = useState('')
  const megabytes = PICTURE_BYTES[use] / MEBIBYTE
  const note = useUploads()

  async function send(file: File): Promise<boolean> {
    setSending(true)
    setFailure('')
    try {
      onTaken?.((await request(uploadCalls.uploadImage, { body: { use }, file }, { errors: 'inline' })).url)
      return true
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const [issue] = error.fields
      setFailure(issue && error.family === 'http' ? sentenceOfIssue(issue) : sentenceOf(error))
      return false
    } finally {
      setSending(false)
    }
  }

  function take(file: File): void {
    if (file.size > PICTURE_BYTES[use]) setFailure(t('picture.tooLarge', { size: (file.size / MEBIBYTE).toFixed(1), megabytes }))
    else note(send(file))
  }

  return { sending, failure, megabytes, take }
}
