#!/bin/sh
# Run as root in the clean root. An ordinary user uses Linnet with the platform, without it, and with it again.
set -e
useradd --create-home --shell /bin/sh person
mkdir -p /run/person /pictures
chown person /run/person /pictures
for phase in first second links notice commands doors; do
  # The demo's platform runs on this computer, so without the loopback interface it is unreachable.
  if [ $phase = second ]; then ip link set lo down; else ip link set lo up; fi
  runuser -u person -- env HOME=/home/person XDG_RUNTIME_DIR=/run/person \
    dbus-run-session -- python3 /use/drive.py $phase /pictures 2>/run/said || {
    cat /run/said
    exit 1
  }
done
# Removing the package must remove its files but keep the user's mail.
dpkg --purge linnet >/dev/null
for left in /opt/Linnet /usr/bin/linnet /usr/share/applications/linnet.desktop; do
  [ ! -e $left ] || { echo "$left is left when the package is removed"; exit 1; }
done
[ -e /home/person/.config/Linnet/accounts ] || { echo "the person's mail went with the package"; exit 1; }
echo "removed: the package goes, the mail stays"
