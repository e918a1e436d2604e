# Sums up what nvidia-smi wrote while a program ran; lines of
#   SM clock in MHz, temperature in C, utilization in percent, reasons (hex)
# with FS = ', *'. Lines of another form are left out: not every driver and
# GPU knows every field. Prints "key: value" lines.
#
# The clock counts only while the GPU was busy: an idle one is slow by design.

# Bits of nvml.h's nvmlClocksEventReason…; the three others are settings.
BEGIN {
  name[3] = "power_cap"
  name[4] = "hardware_slowdown"
  name[6] = "software_thermal"
  name[7] = "hardware_thermal"
  name[8] = "power_brake"
}

NF != 4 || $1 !~ /^[0-9]+$/ { next }

{
  if ($2 ~ /^[0-9]+$/ && $2 + 0 > temperature) temperature = $2 + 0
  mask = low_bits($4)
  idle = mask % 2
  for (i = 3; i <= 8; i++)
    if (i in name && int(mask / 2 ^ (i - 1)) % 2) seen[i] = 1
  if ($3 ~ /^[0-9]+$/ && $3 >= 50 && !idle) clocks[++n] = $1 + 0
}

# The last three digits of 0x0000000000000004: mawk reads no hex.
function low_bits(text,    i, value) {
  text = tolower(text)
  sub(/^0x/, "", text)
  text = substr("000" text, length(text) + 1)
  for (i = 1; i <= 3; i++)
    value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
  return value < 0 ? 0 : value
}

END {
  for (i = 3; i <= 8; i++)
    if (i in seen) reasons = reasons (reasons == "" ? "" : " ") name[i]
  print "throttle_reasons: " (NR == 0 ? "unknown" : \
                              reasons == "" ? "none" : reasons)
  if (temperature) print "temperature_highest_c: " temperature
  if (!n) exit
  for (i = 2; i <= n; i++) {
    clock = clocks[i]
    for (j = i - 1; j >= 1 && clocks[j] > clock; j--)
      clocks[j + 1] = clocks[j]
    clocks[j + 1] = clock
  }
  print "clock_busy_median_mhz: " clocks[int((n + 1) / 2)]
  print "clock_busy_highest_mhz: " clocks[n]
}
