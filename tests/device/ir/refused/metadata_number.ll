;! stops metadata with a number out of range
; Metadata whose number has a letter in it.
!0a.9 = !{}
