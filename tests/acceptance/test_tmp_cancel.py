import asyncio, uuid, pytest
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from tests.acceptance.served import changed, served
async def test_cancel(settings):
    own = changed(settings, palace={"name": f"http{uuid.uuid4().hex[:8]}"})
    with served(own) as http:
        for i in range(30):
            (await asyncio.to_thread(http.post, "/v1/drawers", json={"text": f"ships {i}", "wing": "all"})).raise_for_status()
        async with Client(StreamableHttpTransport(str(http.base_url.join("/mcp")))) as c:
            try:
                r = await c.call_tool("simulation_run", {"name": "long", "max_steps": 5000, "params": {"stop_on_convergence": False}}, timeout=3)
                print("ended", r.data)
            except Exception as e: print("EXC", type(e), e)
            for _ in range(6):
                await asyncio.sleep(1)
                print((await asyncio.to_thread(http.get, "/v1/mcmp/status", params={"simulation": "long"})).json())
            print((await c.call_tool("simulation_run", {"name": "long", "max_steps": 3})).data)
        await asyncio.to_thread(http.delete, f"/v1/palaces/{own.palace.name}")
