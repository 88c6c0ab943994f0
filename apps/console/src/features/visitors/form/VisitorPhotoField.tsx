/** The photo of a visitor or a companion, by upload, drop or camera. Its value is the address that bodies take; empty for none. */
import { useState } from 'react'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { request } from '../../../api/request.ts'
import { PhotoFrame } from '../../../shared/PhotoFrame.tsx'
import { usePhotoIntake, type SubmitPhoto } from '../../../shared/photoIntake.tsx'

interface VisitorPhotoFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string | null
  onChange?: (address: string) => void
}

const submit: SubmitPhoto<{ url: string }> = (file, faceIndex) =>
  request(visitorCalls.photo, { body: { faceIndex }, file }, { errors: 'inline' })

export function VisitorPhotoField({ id, value, onChange }: VisitorPhotoFieldProps) {
  const [isFilming, setFilming] = useState(false)
  const intake = usePhotoIntake(submit, ({ url }) => {
    setFilming(false)
    onChange?.(url)
  })
  return (
    <PhotoFrame
      id={id}
      intake={intake}
      photos={value ? [{ key: value, address: value }] : []}
      remove={() => onChange?.('')}
      canAdd={!value}
      camera={{ isOpen: isFilming, setOpen: setFilming }}
    />
  )
}
