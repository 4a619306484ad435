"""Opens a room and prints its code: open_room.py BASE_URL"""

import sys

from flipside import Server

server = Server(sys.argv[1])
print(server.open_room(server.register("Host")[0]))
